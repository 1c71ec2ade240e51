//! [`Weights`]: whole numbers of this many words, in a list, and sums of them.

/// The weights of the states of a group.
#[derive(Clone, Copy)]
pub enum Weights<'a> {
    /// Of 32 bits.
    Short(&'a [u32]),
    /// Of 64 bits.
    Single(&'a [u64]),
    /// Of several limbs each: as many as the number says.
    Long(&'a [u64], usize),
}

impl Weights<'_> {
    /// Adds one of the weights to a sum that has room for it.
    #[inline]
    pub fn add_to(&self, at: usize, sum: &mut [u64]) {
        match *self {
            Weights::Short(weights) => add_limbs(sum, &[weights[at].into()]),
            Weights::Single(weights) => add_limbs(sum, &[weights[at]]),
            Weights::Long(weights, limbs) => add_limbs(sum, &weights[at * limbs..(at + 1) * limbs]),
        }
    }
}

/// Adds weights to the sums of this many limbs at their ranks, but not at `none`. Never a part of its caller,
/// whose loops over weights of one limb are to be fast.
#[inline(never)]
pub fn add_long<const LIMBS: usize>(sums: &mut [u64], ranks: &[u32], weights: Weights<'_>, from: usize, none: u32) {
    let (sums, _) = sums.as_chunks_mut::<LIMBS>();
    for (i, &rank) in ranks.iter().enumerate() {
        if rank == none {
            continue;
        }
        let mut weight = [0; LIMBS];
        match weights {
            Weights::Short(weights) => weight[0] = weights[from + i].into(),
            Weights::Single(weights) => weight[0] = weights[from + i],
            Weights::Long(weights, limbs) => {
                let limbs = limbs.min(LIMBS);
                weight[..limbs].copy_from_slice(&weights[(from + i) * limbs..(from + i + 1) * limbs]);
            }
        }
        let mut carry = false;
        for (limb, add) in sums[rank as usize].iter_mut().zip(weight) {
            let (value, first) = limb.overflowing_add(add);
            let (value, second) = value.overflowing_add(carry.into());
            (*limb, carry) = (value, first | second);
        }
    }
}

/// Adds a weight to a sum that has room for it.
#[inline]
pub fn add_limbs(sum: &mut [u64], weight: &[u64]) {
    let mut carry = false;
    for (i, limb) in sum.iter_mut().enumerate() {
        if i >= weight.len() && !carry {
            break;
        }
        let (value, first) = limb.overflowing_add(weight.get(i).copied().unwrap_or(0));
        let (value, second) = value.overflowing_add(u64::from(carry));
        *limb = value;
        carry = first || second;
    }
    debug_assert!(!carry, "the bits of a sum are bounded before it is formed");
}

/// The bits of a sum.
#[must_use]
pub fn bits_of(sum: &[u64]) -> u32 {
    sum.iter().rposition(|&limb| limb != 0).map_or(0, |at| at as u32 * 64 + 64 - sum[at].leading_zeros())
}
