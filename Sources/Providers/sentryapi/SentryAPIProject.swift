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

extension SentryAPIRequests {
    /// The project with this id or slug, otherwise the only one with this name; with the warnings of the list.
    mutating func project(
        _ wanted: String, from endpoint: some SentryAPIEndpoint, most pages: Int
    ) async throws(SentryAPIFault) -> (
        id: String, project: SentryAPIProject, pages: SentryAPIPages<SentryAPIProject>
    ) {
        let pages = try await self.pages(
            of: SentryAPIProject.self, from: endpoint, most: pages,
            until: { $0.contains { $0.isCalled(wanted) } })
        let project = try named(wanted, in: pages.elements)
        guard let id = project.id.text else { throw fault(.notFound(name: wanted, among: [])) }
        return (id, project, pages)
    }

    private func named(
        _ wanted: String, in all: [SentryAPIProject]
    ) throws(SentryAPIFault) -> SentryAPIProject {
        let sure = all.first { $0.id.text == wanted } ?? all.first { $0.slug?.text == wanted }
        if let sure { return sure }
        let found = all.filter { $0.name?.text == wanted }
        guard let only = found.first else {
            let known = Set(all.compactMap { $0.slug?.nonEmpty ?? $0.name?.nonEmpty })
            throw fault(.notFound(name: wanted, among: known.sorted()))
        }
        guard found.count == 1 else {
            throw fault(.ambiguous(name: wanted, slugs: found.map { $0.slug?.nonEmpty ?? $0.id.text ?? "" }))
        }
        return only
    }
}
