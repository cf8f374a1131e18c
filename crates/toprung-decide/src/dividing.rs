//! Dividing the entries of a block among several.

use crate::keys::{bound_of, key_of};
use crate::packed::{Group, piece, read_items};

/// What a player takes beside the id and the entries, about.
const PLAYER_BYTES: usize = 6;

/// What becomes a block.
pub(crate) struct Part<'a> {
    pub first: Vec<u8>,
    pub groups: Vec<Group<'a>>,
}

impl Part<'_> {
    fn new(first: Vec<u8>) -> Self {
        Self {
            first,
            groups: Vec::new(),
        }
    }
}

/// Divides groups into parts that are about as long and take no more than `limit` bytes each: between
/// players, but for one who takes more alone.
pub(crate) fn divide<'a>(
    first: &[u8],
    groups: Vec<Group<'a>>,
    limit: usize,
) -> Option<Vec<Part<'a>>> {
    let all: usize = groups.iter().map(group_bytes).sum();
    let target = all.div_ceil(all.div_ceil(limit).max(1));
    let mut done = Vec::new();
    let mut part = Part::new(first.to_vec());
    let mut taken = 0;
    for group in groups {
        let more = group_bytes(&group);
        if taken > 0 && (taken >= target || taken + more > limit) {
            done.push(std::mem::replace(
                &mut part,
                Part::new(bound_of(group.player)),
            ));
            taken = 0;
        }
        if more <= limit {
            part.groups.push(group);
            taken += more;
        } else {
            taken = divide_group(&group, limit, &mut part, &mut done)?;
        }
    }
    done.push(part);
    Some(done)
}

/// Divides the entries of one player among the present part and further ones; what the last of these
/// then takes.
fn divide_group<'a>(
    group: &Group<'a>,
    limit: usize,
    part: &mut Part<'a>,
    done: &mut Vec<Part<'a>>,
) -> Option<usize> {
    let items = read_items(&group.body)?;
    let head = group.player.len() + PLAYER_BYTES;
    let (mut start, mut taken) = (0, head);
    for (place, item) in items.iter().enumerate() {
        let more = item.entry.len() + 1;
        if place > start && taken + more > limit {
            part.groups.push(piece(group.player, &items[start..place]));
            let next = Part::new(key_of(group.player, item.period));
            done.push(std::mem::replace(part, next));
            (start, taken) = (place, head);
        }
        taken += more;
    }
    part.groups.push(piece(group.player, &items[start..]));
    Some(taken)
}

fn group_bytes(group: &Group<'_>) -> usize {
    group.player.len() + group.body.len() + PLAYER_BYTES
}
