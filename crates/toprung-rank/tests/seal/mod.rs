//! Gives a changed image checks that hold again, so that what the checks hide is tested too.

#[path = "../../src/hash.rs"]
#[allow(dead_code)]
mod hash;

/// The image's begin: what it is, and the version.
const HEAD: &[u8] = b"toprungi\x01\0\0\0";

/// An image of these blocks, each with the check that it should have. What is no whole block stays
/// as it is.
pub fn image_of(blocks: &[u8]) -> Vec<u8> {
    let (mut image, mut rest, mut chain) = (HEAD.to_vec(), blocks, 1_u64);
    while let Some((block, payload, after)) = first_block(rest) {
        let head = u64::from(block[0]) << 56 ^ payload.len() as u64;
        chain = hash::hash(chain.rotate_left(32) ^ head, payload);
        image.extend_from_slice(block);
        image.extend_from_slice(&chain.to_le_bytes());
        rest = after;
    }
    image.extend_from_slice(rest);
    image
}

/// The first block without its check, its payload alone, and what follows the check.
fn first_block(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let length: [u8; 4] = bytes.get(1..5)?.try_into().ok()?;
    let end = 5 + u32::from_le_bytes(length) as usize;
    let (block, rest) = bytes.split_at_checked(end)?;
    Some((block, &block[5..], rest.get(8..)?))
}
