import AppHealth
import Diagnostics
import Foundation
import Transport

extension ServiceProfile {
    /// A service with an API like Sentry's: a bearer token, paths below `/api/0/`, lists by cursor. A bad token
    /// ends everything; too many requests end those of their kind, for limits are counted so.
    ///
    /// - Parameters:
    ///   - now: The instant of the run, from which waits are counted.
    ///   - hint: What to do about a status, where the service needs other words than the transport's.
    static func sentryAPI(
        _ provider: String, at now: Instant, hint: @escaping @Sendable (HTTPStatusError) -> String?
    ) -> ServiceProfile {
        ServiceProfile(
            provider: provider,
            explain: { error, response in
                var explanation = RefusalExplanation(hints: hint(error).map { [$0] })
                if error.status == 429,
                    let wait = response.requestedWaitSeconds(.sentry, now: now.secondsSinceEpoch)
                {
                    explanation.more = [
                        "the service takes requests again at \(now.advanced(bySeconds: wait))"
                    ]
                }
                return explanation
            }, halting: [401], haltingGroup: [429], limitFields: .sentry,
            budgetHint: "raise 'requests' of the source")
    }
}

extension Address {
    /// The root of the API of the service at this address, which may already name it.
    func sentryAPIRoot() throws(AddressError) -> Address {
        let isRoot = path.hasSuffix("/api/0") || path.hasSuffix("/api/0/")
        return isRoot ? self : try appending("api", "0")
    }
}

/// The scopes of a token, which the root of the API lists: `{"auth": {"scopes": […]}}`; nil when it does not.
func sentryGrantedScopes(
    below base: Address, limits: Limits, sender: some Sender
) async -> [String]? {
    guard let address = try? base.appending("") else { return nil }
    let response = try? await sender.goodResponse(to: Request(.get, address, limits: limits))
    guard let body = response?.body,
        let root = try? JSONDecoder().decode(APIRoot.self, from: Data(body)),
        let scopes = root.auth?.scopes
    else { return nil }
    return scopes.filter(isScope)
}

private struct APIRoot: Decodable {
    var auth: Auth?

    struct Auth: Decodable {
        var scopes: [String]?
    }
}

private func isScope(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 60
        && text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || ":-_".utf8.contains(byte)
        }
}

/// The scopes that a token needs, at Sentry and at GlitchTip.
let sentryScopes = ["org:read", "project:read", "event:read"]

extension RateLimitFields {
    /// What Sentry sends, with the usual names for what is before it.
    static let sentry = RateLimitFields(
        remaining: ["X-Sentry-Rate-Limit-Remaining", "X-RateLimit-Remaining"],
        reset: ["X-Sentry-Rate-Limit-Reset", "X-RateLimit-Reset"])
}

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

/// A project that was found.
struct FoundProject: Sendable {
    var id: String
    var project: SentryAPIProject
    /// What was skipped of the list in which it was found.
    var warnings: [Diagnostic] = []
}

extension ServiceClient {
    /// The project with this id or slug, otherwise the only one with this name; with the warnings of the list.
    mutating func project(
        _ wanted: String, from endpoint: some ServiceEndpoint, most pages: Int, cutHint: String? = nil
    ) async throws(ServiceFault) -> FoundProject {
        let pages = try await self.pages(
            from: endpoint, by: .cursor(of: SentryAPIProject.self), most: pages,
            until: { $0.contains { $0.isCalled(wanted) } })
        return try project(wanted, in: pages, cutHint: cutHint)
    }

    /// The same; one that is not on the first page of the list is requested by its slug or id, before the rest of the list
    /// is read for its name: that of a large organization goes on beyond what is read.
    ///
    /// A service leads from the former slug of a project to what has another slug now; it is the same one, and a warning
    /// names the new slug.
    ///
    /// - Parameter data: what the source is of in the archive.
    mutating func project(
        _ wanted: String, of data: String, from list: some ServiceEndpoint, or direct: some ServiceEndpoint,
        most pages: Int
    ) async throws(ServiceFault) -> FoundProject {
        let first = try await self.pages(
            from: list, by: .cursor(of: SentryAPIProject.self), most: 1,
            until: { $0.contains { $0.isCalled(wanted) } })
        if !first.isCut || first.elements.contains(where: { $0.isCalled(wanted) }) {
            return try project(wanted, in: first)
        }
        if wanted.utf8.allSatisfy(isInSlug), allows(direct) {
            do throws(ServiceFault) {
                let project = try await value(SentryAPIProject.self, at: direct).value
                if let id = project.id.text {
                    let warnings =
                        project.isCalled(wanted) ? [] : [renamed(wanted, of: data, to: project, direct)]
                    return FoundProject(id: id, project: project, warnings: warnings)
                }
            } catch {
                guard let status = error.status, [400, 403, 404].contains(status) else { throw error }
            }
        }
        return try await project(
            wanted, from: list, most: pages, cutHint: "write the slug or the id of the project")
    }

    private func renamed(
        _ wanted: String, of data: String, to project: SentryAPIProject, _ endpoint: some ServiceEndpoint
    ) -> Diagnostic {
        let name = printable(project.slug?.text ?? project.id.text ?? "")
        return .warning(
            "\(profile.provider).renamed",
            "\(profile.provider): project '\(printable(wanted))' is now called '\(name)'",
            at: .address(endpoint.text(below: base)),
            hints: ["set 'project' to '\(name)', and 'formerly' to '\(printable(data))'"])
    }

    private func project(
        _ wanted: String, in pages: ServicePages<SentryAPIProject>, cutHint: String? = nil
    ) throws(ServiceFault) -> FoundProject {
        let project = try element(
            called: wanted, what: "project",
            in: pages.elements.map {
                NamedElement(id: $0.id.text, slug: $0.slug?.text, name: $0.name?.text, value: $0)
            }, isCut: pages.isCut, cutHint: cutHint)
        guard let id = project.id.text else {
            throw fault(.notFound(what: "project", name: wanted, among: []))
        }
        return FoundProject(id: id, project: project, warnings: pages.warnings)
    }
}

/// Whether a byte may be in a slug or an id.
private func isInSlug(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-_".utf8.contains(byte)
    }
}

/// Where the event happened.
func place(of event: SentryAPIEvent) -> CodePlace? {
    let exceptions = event.entries.values.filter { $0.type.text == "exception" }
        .flatMap { $0.exceptions?.value?.values ?? [] }
    return placeThrown(
        in: exceptions.map { exception in
            (exception.value?.stacktrace?.value?.frames ?? []).compactMap(\.value).map { frame in
                ThrownFrame(
                    file: frame.filename?.value?.nonEmpty, line: frame.line?.value,
                    isInApp: frame.isInApp?.value == true)
            }
        })
}

/// The file of the headline, without a line; the list of issues reports no more.
func place(of metadata: IssueMetadata?) -> CodePlace? {
    metadata?.filename?.value?.nonEmpty.map { CodePlace(file: $0, line: nil) }
}

/// The notes among all activity of an issue.
func notes(_ activity: [SentryAPINote], on issue: String) -> [Note] {
    activity.compactMap(\.note).map { note in
        Note(
            id: note.id.text ?? "", at: note.created.instant, author: author(note.user?.value),
            text: note.data.text.text, subject: .issue(issue))
    }
    .filter { !$0.id.isEmpty }
}

/// The first of several names that is set.
private func author(_ user: SentryAPINote.Author?) -> String {
    let names = [user?.name, user?.username, user?.email]
    return authorName(names.lazy.compactMap { $0?.value?.nonEmpty }.first)
}

/// The whole days in UTC before `now` of an issue's time line. Buckets of one day are added up, for a server
/// may send hours; a day of which one bucket has no count is skipped.
func issueDays(
    _ points: [StatPoint], of issue: String, first: CivilDate, at now: Instant
) -> [IssueDay] {
    var counts: [CivilDate: Int?] = [:]
    for point in points {
        let date = Instant(secondsSinceEpoch: point.seconds).date
        guard date >= first, date < now.date else { continue }
        guard let known = counts[date, default: 0], let count = point.count?.value else {
            counts[date] = .some(nil)
            continue
        }
        let (sum, isOver) = known.addingReportingOverflow(count)
        counts[date] = .some(isOver ? nil : sum)
    }
    return counts.sorted { $0.key < $1.key }.compactMap { date, events in
        events.map { IssueDay(issue: issue, date: date, events: $0, users: nil) }
    }
}
