import Diagnostics
import Tokens
import Transport

/// Everything that a query answered.
struct BigQueryResult: Sendable {
    var columns: [AnsweredColumn] = []
    var rows: [[WarehouseCell]] = []
    var losses: SkippedValues
    var warnings: [Diagnostic] = []
}

/// One query at the service: it is sent, waited for, read page by page, and ended when its response is not awaited any
/// more.
struct BigQueryJobRun {
    private(set) var client: ServiceClient
    private let configuration: BigQueryConfiguration
    private let endingSender: TokenSender
    private let part: String
    /// Which attempt of the query this is, from 1.
    private let attempt: Int
    /// The most pages of a response.
    private static let mostPages = 500

    init(
        _ configuration: BigQueryConfiguration, client: ServiceClient, endingSender: TokenSender,
        part: String, attempt: Int
    ) {
        (self.configuration, self.client, self.endingSender) = (configuration, client, endingSender)
        (self.part, self.attempt) = (part, attempt)
    }

    mutating func result(of request: BigQueryRequest) async throws(ServiceFault) -> BigQueryResult {
        var page = try await begin(request)
        if !page.answer.isComplete {
            guard let job = page.answer.jobReference, job.jobId?.nonEmpty != nil else {
                throw reported("bigquery.job", "The response names no job", ["check 'url'"])
            }
            do throws(ServiceFault) {
                page = try await end(of: job)
            } catch {
                // Whatever happened on the way, the service goes on with the query.
                if error.reason.map({ !BigQueryReason.isPassing($0) }) != true { await cancel(job) }
                throw error
            }
        }
        return try await pages(page)
    }

    private typealias Page = (answer: BigQueryAnswer, losses: SkippedValues)

    /// Sends the query. It is sent to its end even when the fetch is called off: without a response the query has no
    /// name by which it could be ended. The response comes soon, for it is not that of the query.
    private mutating func begin(_ request: BigQueryRequest) async throws(ServiceFault) -> Page {
        let call = request.call(project: configuration.project, part: part, attempt: attempt)
        let start = client
        let task = Task {
            var sent = start
            let result: Result<Page, ServiceFault>
            do throws(ServiceFault) {
                let (answer, losses) = try await sent.value(BigQueryAnswer.self, at: call)
                result = .success((answer, losses))
            } catch {
                result = .failure(error)
            }
            return (sent, result)
        }
        let (used, result) = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            Task {
                try? await Task.sleep(for: .seconds(5))
                task.cancel()
            }
        }
        client = used
        return try result.get()
    }

    /// Waits for the end of the query, for as long as the configuration allows.
    private mutating func end(of job: BigQueryJob) async throws(ServiceFault) -> Page {
        let most = configuration.seconds / 5 + 5
        for poll in 1...most {
            let page = try await page(of: job, token: nil)
            if page.answer.isComplete { return page }
            await configuration.pause(poll)
        }
        throw reported(
            "bigquery.slow", "A query did not end within \(configuration.seconds) seconds",
            ["raise 'seconds', or request fewer days"])
    }

    /// A page of the results, or that there are none yet. That it is requested changes nothing, so it may be requested
    /// again.
    private mutating func page(of job: BigQueryJob, token: String?) async throws(ServiceFault) -> Page {
        var attempt = 1
        while true {
            do throws(ServiceFault) {
                var call = configuration.results(of: job, token: token, part: part)
                call.attempt = attempt
                let (answer, losses) = try await client.value(BigQueryAnswer.self, at: call)
                return (answer, losses)
            } catch {
                guard attempt < configuration.attempts, error.mayRequestAgain else { throw error }
                await configuration.pause(attempt)
                attempt += 1
            }
        }
    }

}

extension BigQueryConfiguration {
    /// The request for a page of a query's results.
    func results(of job: BigQueryJob, token: String?, part: String) -> ServiceCall {
        var query = [
            ("formatOptions.useInt64Timestamp", "true"), ("maxResults", "\(rowsOfPage)"),
            ("timeoutMs", "\(Self.waitMilliseconds.later)"),
        ]
        if let location = location(of: job) { query.append(("location", location)) }
        if let token { query.append(("pageToken", token)) }
        var call = ServiceCall.google(
            ["projects", project(of: job), "queries", job.jobId?.text ?? ""], query: query, part: part)
        call.isRetried = false
        return call
    }

    fileprivate func project(of job: BigQueryJob) -> String { job.projectId?.nonEmpty ?? project }

    fileprivate func location(of job: BigQueryJob) -> String? { job.location?.nonEmpty ?? location }
}

// MARK: Pages

extension BigQueryJobRun {
    /// The rows of all pages, as many as the service says that there are.
    private mutating func pages(_ first: Page) async throws(ServiceFault) -> BigQueryResult {
        if let failure = first.answer.failure { throw client.fault(.reported(failure.diagnostic)) }
        let columns = first.answer.columns
        let all = first.answer.totalRows?.value
        if let all, all > configuration.mostRows {
            throw reported(
                "bigquery.rows", "The response has \(all) rows, more than \(configuration.mostRows)",
                ["group the rows by day", "request fewer days or fewer issues"])
        }
        var result = BigQueryResult(
            columns: columns, losses: first.losses, warnings: warnings(first.answer))
        var (page, count, seen): (Page, Int, Set<String>) = (first, 0, [])
        while true {
            result.rows += page.answer.cells(columns)
            count += (page.answer.rows?.items.count ?? 0) + (page.answer.rows?.skipped ?? 0)
            guard let token = page.answer.pageToken?.nonEmpty, count <= configuration.mostRows else { break }
            guard seen.insert(token).inserted, seen.count < Self.mostPages,
                let job = first.answer.jobReference ?? page.answer.jobReference, job.jobId?.nonEmpty != nil
            else { throw cut }
            page = try await self.page(of: job, token: token)
            guard page.answer.isComplete else { throw cut }
            result.losses.add(page.losses)
        }
        guard all == nil || all == count else { throw cut }
        return result
    }

    private var cut: ServiceFault {
        reported("bigquery.truncated", "The response is cut off", ["fetch again later"])
    }

    /// Errors next to rows did not end the query.
    private func warnings(_ answer: BigQueryAnswer) -> [Diagnostic] {
        (answer.errors?.value?.values ?? []).prefix(5).map { problem in
            .warning(
                "bigquery.said", "bigquery: The service reports a problem with \(part)",
                quotes: [problem.words])
        }
    }

    private func reported(_ id: String, _ summary: String, _ hints: [String]) -> ServiceFault {
        client.fault(.reported(.error(id, "bigquery: \(summary)", hints: hints)))
    }
}

// MARK: The end of a query

extension BigQueryJobRun {
    /// Ends a query at the service whose response is not awaited any more. It has its own limit of time besides.
    private func cancel(_ job: BigQueryJob) async {
        var call = ServiceCall.google(
            ["projects", configuration.project(of: job), "jobs", job.jobId?.text ?? "", "cancel"],
            query: configuration.location(of: job).map { [("location", $0)] } ?? [], body: [],
            part: "the end of a query")
        call.writes = true
        call.isRetried = false
        var limits = configuration.limits
        limits.totalMilliseconds = 5_000
        let client = ServiceClient(
            BigQueryProvider.service.bigQueryProfile, base: configuration.base, limits: limits, most: 1,
            over: .tokens(endingSender))
        let ending = call
        // A canceled task sends nothing more; this one is not canceled with it.
        await Task.detached {
            var client = client
            _ = try? await client.response(to: ending)
        }.value
    }
}
