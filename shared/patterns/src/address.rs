//! IP addresses in patterns: `cidr`, and a string that is an address.

use std::cmp::Ordering;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The bits of an address.
const BITS: (u32, u32) = (32, 128);

/// The addresses from one to another, both included, as bytes.
#[derive(Debug)]
pub(crate) struct Range(Vec<u8>, Vec<u8>);

impl Range {
    /// That of a string in a pattern. `None`: it is no address.
    pub(crate) fn of_address(text: &str) -> Option<Self> {
        bytes(text).map(|bytes| Self(bytes.clone(), bytes))
    }

    /// That of an argument of `cidr`. `None`: it is none. The engine takes no mask that leaves one address.
    pub(crate) fn of_cidr(text: &str) -> Option<Self> {
        let (address, mask) = text.split_once('/')?;
        let (address, mask) = (bytes(address)?, mask.parse::<u32>().ok()?);
        let is_v4 = address.len() == size_of::<Ipv4Addr>();
        if mask >= if is_v4 { BITS.0 } else { BITS.1 } {
            return None;
        }
        let host = |place: usize| {
            // The bits of the mask that are in the bytes from this one.
            let left = mask.saturating_sub(u32::try_from(place).unwrap_or(u32::MAX) * u8::BITS);
            u8::MAX.checked_shr(left).unwrap_or(0)
        };
        let from = address.iter().enumerate().map(|(place, byte)| byte & !host(place)).collect();
        let to = address.iter().enumerate().map(|(place, byte)| byte | host(place)).collect();
        Some(Self(from, to))
    }

    /// Whether a text is an address in it. The engine compares digits until they decide, also those of addresses of
    /// different versions.
    pub(crate) fn has(&self, text: &str) -> bool {
        let Some(bytes) = bytes(text) else { return false };
        let parts = |limit: &[u8]| {
            limit.iter().zip(&bytes).find(|(limit, byte)| limit != byte).map(|(limit, byte)| byte.cmp(limit))
        };
        let is_whole = bytes.len() >= self.0.len();
        let (from, to) = (parts(&self.0), parts(&self.1));
        from.map_or(is_whole, Ordering::is_gt) && to.map_or(is_whole, Ordering::is_lt)
    }
}

/// An address of version 4 that is written as one of version 6 is of version 4, as in Java.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let is_of_v6 = |letter: char| letter == ':' || letter.is_ascii_hexdigit();
    if !text.contains(':') {
        return text.parse::<Ipv4Addr>().ok().map(|address| address.octets().to_vec());
    }
    let address = text.chars().all(is_of_v6).then(|| text.parse::<Ipv6Addr>().ok())??;
    match address.to_canonical() {
        IpAddr::V4(address) => Some(address.octets().to_vec()),
        IpAddr::V6(address) => Some(address.octets().to_vec()),
    }
}
