/// The assets that a template may name, with the address that is written for each.
///
/// `{{asset.site.css}}` names the asset `site.css`, `{{asset.fonts/text.woff2}}` one in a folder. Names are
/// looked up when the template is loaded, so a page cannot lead to an asset that is not there.
package struct TemplateAssets: Sendable {
    /// The addresses from the top of the site, by name: `site.css` is `assets/site.0a1b2c3d4e.css`.
    package let addresses: [String: String]
    /// The files that were looked for, for a message about a name that none of them has.
    package let places: @Sendable (_ name: String) -> [String]

    /// Names with their addresses.
    package init(
        addresses: [String: String], places: @escaping @Sendable (_ name: String) -> [String] = { _ in [] }
    ) {
        self.addresses = addresses
        self.places = places
    }
}
