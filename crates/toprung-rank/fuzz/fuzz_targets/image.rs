//! Any bytes as an image: an error, or an engine that is whole; never a crash.
//!
//! A check guards every block, so bytes as they come are turned away at the first. The input is
//! therefore tried a second time with checks that hold.
#![no_main]

#[path = "../../tests/seal/mod.rs"]
mod seal;

use toprung_rank::Engine;

fn read(mut image: &[u8]) {
    if let Ok((engine, header)) = Engine::read_image(&mut image) {
        engine.validate().expect("what was read is whole");
        let mut again = Vec::new();
        engine
            .write_image(&header, &mut again)
            .expect("memory takes it");
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    read(&seal::image_of(bytes));
});
