//! Free and used space on disks, from the programs `df` and `du`.

use std::path::Path;

use crate::env::Env;

/// Returns the bytes that are free for this user on the file system of a folder, or `None` if `df` does not say.
pub fn free(env: &Env, folder: &Path) -> Option<u64> {
    let folder = folder.ancestors().find(|folder| folder.exists())?;
    Some(available(&env.program("df").arg("-Pk").arg(folder).output().ok()?)? * 1024)
}

/// Returns the bytes that a folder uses, or `None` if `du` fails, for example because files disappear meanwhile. A
/// folder that does not exist uses none.
pub fn used(env: &Env, folder: &Path) -> Option<u64> {
    if !folder.exists() {
        return Some(0);
    }
    Some(first_number(&env.program("du").arg("-sk").arg(folder).output().ok()?)? * 1024)
}

/// Returns the number before the percentage in the last line of `df -Pk`. Names of file systems may contain spaces.
fn available(printed: &str) -> Option<u64> {
    let words: Vec<&str> = printed.lines().nth(1)?.split_whitespace().collect();
    let capacity = words.iter().position(|word| word.ends_with('%'))?;
    words.get(capacity.checked_sub(1)?)?.parse().ok()
}

fn first_number(printed: &str) -> Option<u64> {
    printed.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_space_is_parsed_from_df() {
        let linux = "Filesystem     1024-blocks     Used Available Capacity Mounted on\n\
                     /dev/vda         263174212 19502516  75012345      21% /\n";
        assert_eq!(available(linux), Some(75_012_345));
        let mac = "Filesystem    1024-blocks Used Available Capacity  Mounted on\n\
                   map auto_home           0    0         0   100%    /System/Volumes/Data/home\n";
        assert_eq!(available(mac), Some(0));
        assert_eq!(available("df: no such option\n"), None);
    }

    #[test]
    fn used_space_is_parsed_from_du() {
        assert_eq!(first_number("6627328\t/target\n"), Some(6_627_328));
        assert_eq!(first_number(""), None);
    }
}
