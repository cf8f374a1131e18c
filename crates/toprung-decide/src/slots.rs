//! Numbered places in a vector, used again when they are free.

use crate::cache::NONE;
use crate::error::Error;

/// The number that the next thing gets.
pub(crate) fn next_number(free: &[u32], len: usize) -> Result<u32, Error> {
    if let Some(number) = free.last() {
        return Ok(*number);
    }
    match u32::try_from(len) {
        Ok(number) if number < NONE => Ok(number),
        _ => Err(Error::Full),
    }
}

/// Makes room for one more, so that adding it cannot fail; by a quarter, as millions are held.
pub(crate) fn reserve<T>(things: &mut Vec<T>) -> Result<(), Error> {
    if things.len() < things.capacity() {
        return Ok(());
    }
    let more = (things.len() / 4).max(4);
    things
        .try_reserve_exact(more)
        .map_err(|_| Error::OutOfMemory)
}

/// Puts a thing at the number that [`next_number`] gave.
pub(crate) fn put<T>(things: &mut Vec<T>, free: &mut Vec<u32>, number: u32, thing: T) {
    if free.pop().is_some() {
        things[number as usize] = thing;
    } else {
        things.push(thing);
    }
}
