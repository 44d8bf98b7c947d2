//! Decodes `zstd`.

use super::layer::{BodyFault, DecodeLimits, Layer};
use crate::container::zstd::frame::begins_frame;
use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

pub(super) struct Zstd {
    state: DCtx<'static>,
}

impl Zstd {
    pub(super) fn new() -> Self {
        Zstd { state: DCtx::create() }
    }

    /// Decodes one frame after another, skippable ones included. Bytes after the last one are
    /// ignored.
    pub(super) fn decode(
        &mut self,
        input: &[u8],
        out: &mut Vec<u8>,
        window_log: u32,
        limits: &DecodeLimits<'_>,
    ) -> Result<Layer, BodyFault> {
        if !begins_frame(input) {
            return Ok(Layer::Other);
        }
        let ready = self
            .state
            .reset(ResetDirective::SessionAndParameters)
            .and_then(|_| self.state.set_parameter(DParameter::WindowLogMax(window_log)));
        debug_assert!(ready.is_ok(), "zstd refuses the window limit");

        let mut at = 0;
        // A call that fails returns no data, not even those decoded before the damage. Each call
        // therefore gets only the bytes that zstd requested, which are one block. Damage costs the
        // data of one block.
        let mut wanted = 0;
        while at < input.len() {
            if wanted == 0 {
                if !begins_frame(&input[at..]) {
                    return Ok(Layer::Whole);
                }
                wanted = 1;
            }
            limits.reserve(out);
            let length = out.len();
            let mut source = InBuffer::around(&input[..input.len().min(at + wanted)]);
            source.set_pos(at);
            let mut target = OutBuffer::around_pos(out, length);
            let Ok(hint) = self.state.decompress_stream(&mut target, &mut source) else {
                return Ok(Layer::Cut);
            };
            at = source.pos();
            wanted = hint;
            limits.check(at, out.len())?;
        }
        // If the output was full, zstd may still hold data.
        while wanted != 0 && out.len() == out.capacity() {
            limits.reserve(out);
            let length = out.len();
            let mut target = OutBuffer::around_pos(out, length);
            match self.state.decompress_stream(&mut target, &mut InBuffer::around(&[])) {
                Ok(hint) => wanted = hint,
                Err(_) => break,
            }
            limits.check(at, out.len())?;
        }
        Ok(if wanted == 0 { Layer::Whole } else { Layer::Cut })
    }
}
