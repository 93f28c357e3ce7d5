package import AppHealth
package import Transport

/// Where snapshot files lie, and how much of them is read.
package struct FilesConfiguration: Sendable {
    /// Where snapshot files lie.
    package enum Place: Sendable {
        /// A directory or a file on this machine.
        case path(String)
        /// One file behind an address: http, https or file.
        case address(Address)
    }

    /// Where the files lie.
    package var place: Place
    /// The name of the source within its app.
    package var id: Slug
    /// The most bytes of one file.
    package var mostBytes = 32 << 20
    /// The most files of a directory; of more, those whose names come last are read.
    package var mostFiles = 10_000
    /// How messages name a local place, such as the path that the configuration writes; nil for the path itself.
    package var shownAs: String?
    /// What one request may cost in time; its body is capped by `mostBytes`.
    package var limits = Limits()

    /// Reads the text of a configuration: an address when it begins with a scheme, otherwise a path.
    package init(_ place: String, id: Slug = Slug(anyText: "files")) throws(AddressError) {
        self.id = id
        if place.contains("://") {
            self.place = .address(try Address(place))
        } else {
            self.place = .path(place)
        }
    }
}
