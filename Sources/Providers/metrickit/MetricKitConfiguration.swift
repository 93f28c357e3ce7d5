package import AppHealth
package import Transport

/// Where the MetricKit payloads of one app lie: JSON files as `jsonRepresentation()` writes them.
package struct MetricKitConfiguration: Sendable {
    /// A directory, or one file.
    package var path: String
    /// The name of the source within its app.
    package var id: Slug
    /// The most bytes of one file.
    package var mostBytes = 16 << 20
    /// The most files of the directory; of more, those whose names come last are read.
    package var mostFiles = 10_000
    /// How messages name the place; nil for the path itself.
    package var shownAs: String?
    /// What reading one file may cost in time.
    package var limits = Limits()

    /// Reads the payloads below the path.
    package init(path: String, id: Slug = Slug(anyText: "metrickit")) {
        self.path = path
        self.id = id
    }
}
