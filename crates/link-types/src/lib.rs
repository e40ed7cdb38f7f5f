//! The vocabulary both sides of Linchpin speak: ids, resources, events, error codes, field formats, host messages.
