import Diagnostics
import Tokens
import Transport

/// The parts of one fetch: what came, what is missing, and whether anything came at all.
struct GoogleParts {
    private(set) var requests: GoogleRequests
    /// What to tell beside what came.
    private(set) var warnings: [Diagnostic] = []
    private var answers = 0
    private var firstFault: GoogleFault?
    private var cancelled: GoogleFault?

    init(_ requests: GoogleRequests) {
        self.requests = requests
    }

    var service: GoogleService { requests.service }

    /// One answer; nil and a warning that names the part when there is none.
    mutating func value<Value: Decodable>(
        _ type: Value.Type, _ call: GoogleCall
    ) async -> (value: Value, losses: Losses)? {
        do throws(GoogleFault) {
            let result = try await requests.value(type, call)
            answers += 1
            return result
        } catch {
            missing(call.part, error)
            return nil
        }
    }

    /// A list over its pages with a place for what its mapping leaves out; nil and a warning when it failed.
    mutating func list<Page: GooglePage>(
        of type: Page.Type, most: Int, _ call: (String?) -> GoogleCall
    ) async -> (pages: GooglePages<Page.Element>, losses: Losses)? {
        let first = call(nil)
        do throws(GoogleFault) {
            let pages = try await requests.pages(of: type, most: most, call)
            answers += 1
            warnings += pages.warnings
            if let cut = pages.cut { warnings.append(cut) }
            let place = Losses(provider: service.name, endpoint: first.text(below: requests.base))
            return (pages, place)
        } catch {
            missing(first.part, error)
            return nil
        }
    }

    /// Names a part that did not come.
    mutating func missing(_ part: String, _ fault: GoogleFault) {
        if fault.isCancelled { cancelled = cancelled ?? fault }
        firstFault = firstFault ?? fault
        let why = fault.diagnostic(service)
        warnings.append(
            .warning(
                "\(service.name).part-missing", "\(service.name): \(part) are missing from this fetch",
                details: [why.summary] + why.details, at: why.location, hints: why.hints))
    }

    mutating func tell(_ more: [Diagnostic]) {
        warnings += more
    }

    /// Throws when the run was called off, or when no part came.
    func check() throws(GoogleFault) {
        if let cancelled { throw cancelled }
        if answers == 0, let firstFault { throw firstFault }
    }
}
