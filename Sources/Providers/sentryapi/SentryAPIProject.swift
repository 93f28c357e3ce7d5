/// One element of the list of projects, alike at Sentry and GlitchTip.
struct SentryAPIProject: Decodable, Sendable {
    /// A text in this list, a number elsewhere.
    var id: WireLabel
    var slug: WireName?
    var name: WireName?
    /// Whether sessions ever came; only Sentry says it.
    var hasSessions: Lenient<Bool>?

    /// Whether the configuration means this project, beyond doubt.
    func isCalled(_ wanted: String) -> Bool { id.text == wanted || slug?.text == wanted }
}

extension ServiceClient {
    /// The project with this id or slug, otherwise the only one with this name; with the warnings of the list.
    mutating func project(
        _ wanted: String, from endpoint: some ServiceEndpoint, most pages: Int
    ) async throws(ServiceFault) -> (
        id: String, project: SentryAPIProject, pages: ServicePages<SentryAPIProject>
    ) {
        let pages = try await self.pages(
            from: endpoint, by: .cursor(of: SentryAPIProject.self), most: pages,
            until: { $0.contains { $0.isCalled(wanted) } })
        let project = try element(
            called: wanted, what: "project",
            in: pages.elements.map {
                NamedElement(id: $0.id.text, slug: $0.slug?.text, name: $0.name?.text, value: $0)
            })
        guard let id = project.id.text else {
            throw fault(.notFound(what: "project", name: wanted, among: []))
        }
        return (id, project, pages)
    }
}
