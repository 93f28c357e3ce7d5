import Diagnostics
import Foundation
import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import Publishing

struct S3TargetTests {
    private func target(
        _ origin: String, _ values: [String: String] = [:], environment: [String: String] = [:],
        gzip: Bool = false, conditions: Bool = true, attempts: Int = 3
    ) throws -> any Target {
        var all: [String: TargetSetup.Value] = [
            "bucket": .text(S3Stub.bucket), "endpoint": .text(origin), "gzip": .flag(gzip),
            "conditions": .flag(conditions),
        ]
        for (key, value) in values { all[key] = .text(value) }
        var retries = RetryPolicy()
        (retries.attempts, retries.capMilliseconds, retries.failedRequestsInARow) = (attempts, 0, 1000)
        var options = Client.Options(version: "1.2.3")
        options.usesProxy = false
        options.transfersPerHost = 8
        let client = Client(options)
        let keys = ["AWS_ACCESS_KEY_ID": S3Stub.key, "AWS_SECRET_ACCESS_KEY": S3Stub.secret]
        return try TargetDescriptor.s3.make(
            TargetSetup(
                id: "s3", values: all, folder: "/", environment: environment.isEmpty ? keys : environment,
                retries: retries
            ) { _ in client })
    }

    private func texts(_ bucket: S3Stub, below prefix: String = "") -> [String: String] {
        var files: [String: String] = [:]
        for (key, object) in bucket.objects where key.hasPrefix(prefix) {
            let path = String(key.dropFirst(prefix.count))
            if path != PublicationManifest.fileName { files[path] = object.text }
        }
        return files
    }

    @Test(arguments: ["", "apps/all"])
    func publishesOnlyWhatChanged(prefix: String) async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
        let target = try target(bucket.server.origin, prefix.isEmpty ? [:] : ["prefix": prefix])
        let first = await publishing(try folder.site(Edition.files(0)), to: target)
        #expect(first.word == "published", "\(String(describing: first.failure)) \(bucket.complaints)")
        let below = prefix.isEmpty ? "" : prefix + "/"
        #expect(texts(bucket, below: below) == folder.tree("site"))
        let asked = bucket.count
        #expect(await publishing(try folder.site(Edition.files(0)), to: target).word == "unchanged")
        #expect(bucket.count == asked + 1, "one request finds out that nothing changed")
        let second = await publishing(try folder.site(Edition.files(1)), to: target)
        #expect(second.word == "published" && second.plan?.removals.count == 4)
        var expected = folder.tree("site")
        expected["assets/style.0123456789.css"] = "body {}"
        #expect(texts(bucket, below: below) == expected)
        #expect(bucket.complaints == [])
        await bucket.server.stop()
    }

    /// Names that signers stumble over.
    @Test func signsEveryName() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
        let names = [
            "compare/4.2.1...4.3.0-rc+1/index.html", "a b/c(d)@e:f.txt", "ü/ä~b.txt", "x=y&z.txt", "100%.txt",
        ]
        let files = Dictionary(uniqueKeysWithValues: (names + ["index.html"]).map { ($0, "<\($0)>") })
        let outcome = await publishing(
            try folder.site(files), to: try target(bucket.server.origin, ["prefix": "p q/r+s"]))
        #expect(outcome.word == "published", "\(bucket.complaints)")
        #expect(texts(bucket, below: "p q/r+s/") == folder.tree("site"))
        await bucket.server.stop()
    }

    @Test func headersTellHowToServe() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
        let long = String(repeating: "long text ", count: 200)
        let files = [
            "index.html": long, "assets/s.0123456789.css": "b", "feed.xml": "f", "a/chart.svg": "s",
            "a/x.bin": "b",
        ]
        let plain = await publishing(
            try folder.site(files), to: try target(bucket.server.origin, ["cache": "60"]))
        #expect(plain.word == "published", "\(bucket.complaints)")
        func headers(_ key: String) -> String {
            let all = bucket.objects[key]?.headers ?? [:]
            return ["Content-Type", "Cache-Control", "Content-Encoding"].compactMap { all[$0] }.joined(
                separator: " | ")
        }
        #expect(headers("index.html") == "text/html; charset=utf-8 | public, max-age=60")
        #expect(
            headers("assets/s.0123456789.css")
                == "text/css; charset=utf-8 | public, max-age=31536000, immutable")
        #expect(headers("feed.xml") == "application/atom+xml; charset=utf-8 | public, max-age=60")
        #expect(headers("a/chart.svg") == "image/svg+xml | public, max-age=60")
        #expect(headers("a/x.bin") == "application/octet-stream | public, max-age=60")
        // Served otherwise, the same file is sent again.
        let packed = await publishing(
            try folder.site(files), to: try target(bucket.server.origin, ["cache": "60"], gzip: true))
        #expect(packed.sentFiles == 1 && headers("index.html").hasSuffix(" | gzip"))
        #expect(bucket.objects["index.html"]?.body.starts(with: [31, 139, 8, 0, 0, 0, 0, 0]) == true)
        await bucket.server.stop()
    }

    @Test func foreignObjectsAreNotReplacedUnlessAdopted() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
        for name in ["a", "b", "c", "d", "index.html", "z/1", "z/2"] { bucket.put(name, "theirs") }
        let site = try folder.site(["index.html": "ours"])
        let refused = await publishing(site, to: try target(bucket.server.origin))
        #expect(refused.word == "publish.foreign-files" && bucket.objects["index.html"]?.text == "theirs")
        let adopted = await publishing(site, to: try target(bucket.server.origin)) { $0.adopts = true }
        #expect(adopted.word == "published" && bucket.objects["index.html"]?.text == "ours")
        #expect(bucket.objects["z/2"]?.text == "theirs")
        await bucket.server.stop()
    }

    /// Where a list has more pages than there are files to send, each file is asked for.
    @Test func aListWithoutAnEndIsNotReadToItsEnd() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start(listsForever: true))
        let site = try folder.site(["a.html": "ours", "index.html": "ours"])
        bucket.put("index.html", "theirs")
        let refused = await publishing(site, to: try target(bucket.server.origin))
        #expect(refused.word == "publish.foreign-files" && bucket.objects["index.html"]?.text == "theirs")
        #expect(bucket.count < 20)
        let adopted = await publishing(site, to: try target(bucket.server.origin)) { $0.adopts = true }
        #expect(adopted.word == "published", "\(String(describing: adopted.failure))")
        await bucket.server.stop()
    }

    @Test(.enabled(if: hasBytesForNames))
    func namesOfOtherBytesAreOtherFiles() async throws {
        let bucket = try await S3Stub.start()
        try await TwoForms.checkEachIsAFile(at: try target(bucket.server.origin)) {
            bucket.texts.mapValues(\.text)
        }
        await bucket.server.stop()
    }

    /// Compressed or not, what was published is known again, and what was changed since stays.
    @Test(arguments: [false, true])
    func whatTheOwnerChangedIsNotRemoved(gzip: Bool) async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
        let target = try target(bucket.server.origin, gzip: gzip)
        let long = String(repeating: "long text ", count: 200)
        let old = [
            "index.html": "1", "same.html": "a", "long.html": long, "longer.html": "short",
            "equal.html": "Theirs", "other.html": long,
        ]
        _ = await publishing(try folder.site(old), to: target)
        bucket.put("longer.html", "changed by hand")
        bucket.put("equal.html", "theirs")
        bucket.put("other.html", "theirs")
        let outcome = await publishing(try folder.site(["index.html": "2"]), to: target) {
            $0.mostRemoved = nil
        }
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(
            texts(bucket).filter { $0.key != SiteFolder.manifest } == [
                "index.html": "2", "longer.html": "changed by hand", "equal.html": "theirs",
                "other.html": "theirs",
            ])
        #expect(outcome.kept == ["equal.html", "longer.html", "other.html"] && outcome.removedFiles == 2)
        await bucket.server.stop()
    }

    @Test func aWrongClockIsCorrected() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start(clockAhead: 7200))
        let outcome = await publishing(
            try folder.site(["index.html": "1"]), to: try target(bucket.server.origin))
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(bucket.complaints.count == 1)
        await bucket.server.stop()
    }

    /// A bucket that is in another region says so, once.
    @Test func theRegionIsFoundByItself() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start(region: "eu-north-1"))
        let outcome = await publishing(
            try folder.site(Edition.files(0)), to: try target(bucket.server.origin))
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(bucket.complaints.count == 1, "\(bucket.complaints)")
        await bucket.server.stop()
    }

    @Test(arguments: [
        ("", "", "https://reports.s3.eu-north-1.amazonaws.com/p/a%20b.html"),
        ("", "path", "https://s3.eu-north-1.amazonaws.com/reports/p/a%20b.html"),
        ("https://minio.example", "", "https://minio.example/reports/p/a%20b.html"),
        ("https://minio.example", "host", "https://reports.minio.example/p/a%20b.html"),
    ])
    func anotherRegionIsNeverAnotherService(
        endpoint: String, addressing: String, expected: String
    ) throws {
        let client = Client(Client.Options(version: "1"))
        var values: [String: TargetSetup.Value] = ["bucket": .text("reports"), "prefix": .text("p")]
        if !endpoint.isEmpty { values["endpoint"] = .text(endpoint) }
        if !addressing.isEmpty { values["addressing"] = .text(addressing) }
        let place = try S3Place(
            TargetSetup(id: "s3", values: values, folder: "/", environment: [:]) { _ in client })
        let home = try #require(place.home(in: "eu-north-1"))
        let moved = try place.moved(try place.address(of: "a b.html"), to: home)
        #expect(moved.text == expected && moved.origin == home.origin && home.region == "eu-north-1")
    }

    /// Names of regions come from outside.
    @Test(arguments: ["eu-north-1.evil.example", "a/b", "EU", "", "a b", "eu-north-1"])
    func aRegionIsAName(region: String) throws {
        let response = Response(
            status: 400, body: Array("<Error><Code>X</Code><Region>\(region)</Region></Error>".utf8),
            address: try Address("https://s3.example/"))
        #expect((S3Refusal(response).otherRegion != nil) == (region == "eu-north-1"))
    }

    @Test func goesSlowlyWhereTheServiceWishes() async {
        let gate = RequestGate(most: 8)
        var limits: [Int] = []
        for isTooFast in [true, false, true, true, true] {
            await gate.enter()
            gate.leave(isTooFast: isTooFast)
            limits.append(gate.limit)
        }
        #expect(limits == [4, 4, 2, 1, 1])
        for _ in 0..<250 {
            await gate.enter()
            gate.leave(isTooFast: false)
        }
        #expect(gate.limit == 3)
        // More at once than may be: each gets its turn.
        let most = await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await gate.enter()
                    await Task.yield()
                    gate.leave(isTooFast: false)
                }
            }
            await group.waitForAll()
            return gate.limit
        }
        #expect(most == 4)
    }

    /// Many objects are removed by one request, and one by one where the service takes no such request.
    @Test(arguments: [true, false])
    func removesManyAtOnce(deletesMany: Bool) async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start(deletesMany: deletesMany))
        let target = try target(bucket.server.origin)
        var files = ["index.html": "1"]
        for number in 0..<30 { files["p/a&b<\(number)>.html"] = "x" }
        _ = await publishing(try folder.site(files), to: target)
        func removals() -> Int {
            bucket.server.requests.filter { ["POST", "DELETE"].contains($0.method) }.count
        }
        let before = removals()
        let outcome = await publishing(try folder.site(["index.html": "1"]), to: target) {
            $0.mostRemoved = nil
        }
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(texts(bucket) == folder.tree("site"))
        #expect((removals() - before < 10) == deletesMany, "\(removals() - before)")
        await bucket.server.stop()
    }

    @Test(arguments: [true, false])
    func anObjectThatCannotBeRemovedIsNamedAndStaysInTheList(deletesMany: Bool) async throws {
        let (folder, bucket) = (
            try TestFolder(), try await S3Stub.start(deletesMany: deletesMany, locked: "p/b.html")
        )
        let target = try target(bucket.server.origin)
        let files = ["index.html": "1", "p/a.html": "1", "p/b.html": "1"]
        _ = await publishing(try folder.site(files), to: target)
        let outcome = await publishing(try folder.site(["index.html": "1"]), to: target) {
            $0.mostRemoved = nil
        }
        #expect(outcome.failure?.summary.contains("'p/b.html'") == true, "\(outcome.word)")
        #expect(texts(bucket).keys.sorted() == ["index.html", "manifest.json", "p/b.html"])
        #expect(try await target.lastPublication()?.manifest.files["p/b.html"] != nil)
        await bucket.server.stop()
    }

    @Test func foreignObjectsAreSeenLaterToo() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
        let target = try target(bucket.server.origin)
        for (files, way) in [(1, "one by one"), (5, "by a list")] {
            _ = await publishing(try folder.site(["index.html": way]), to: target) { $0.mostRemoved = nil }
            var more = ["index.html": way]
            for number in 0..<files { more["new\(number).html"] = "ours" }
            bucket.put("new0.html", "theirs")
            let refused = await publishing(try folder.site(more), to: target)
            #expect(refused.word == "publish.foreign-files" && bucket.objects["new0.html"]?.text == "theirs")
        }
        await bucket.server.stop()
    }

    /// Larger than what is held in memory.
    @Test func aLargeFileArrives() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
        let text = String(repeating: "0123456789abcdef\n", count: 600_000)
        let outcome = await publishing(
            try folder.site(["index.html": "1", "large.txt": text]), to: try target(bucket.server.origin))
        #expect(outcome.word == "published", "\(String(describing: outcome.failure)) \(bucket.complaints)")
        #expect(bucket.objects["large.txt"]?.text == text)
        await bucket.server.stop()
    }

    @Test func aKeyThatEndsOnTheWayIsRenewed() async throws {
        let folder = try TestFolder()
        let bucket = try await S3Stub.start(token: "lent") { number, _ in
            number == 6 ? .refuse(400, "ExpiredToken") : nil
        }
        try folder.write("identity", "id3ntity\n")
        let service = try await LoopbackServer.start { _ in
            .text(
                """
                <R><AccessKeyId>\(S3Stub.key)</AccessKeyId><SecretAccessKey>\(S3Stub.secret)</SecretAccessKey>
                <SessionToken>lent</SessionToken><Expiration>2037-01-01T00:00:00Z</Expiration></R>
                """)
        }
        let environment = [
            "AWS_WEB_IDENTITY_TOKEN_FILE": "\(folder.path)/identity", "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
            "AWS_ENDPOINT_URL_STS": service.origin + "/",
        ]
        let outcome = await publishing(
            try folder.site(Edition.files(0)), to: try target(bucket.server.origin, environment: environment))
        #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        #expect(service.requests.count == 2)
        await service.stop()
        await bucket.server.stop()
    }

    /// However many requests wait for it at once.
    @Test func aKeyIsLentOnceForAllThatWait() async throws {
        let folder = try TestFolder()
        try folder.write("identity", "id3ntity\n")
        let service = try await LoopbackServer.start { _ in
            .text(
                """
                <R><AccessKeyId>second</AccessKeyId><SecretAccessKey>\(S3Stub.secret)</SecretAccessKey>
                <Expiration>2037-01-01T00:00:00Z</Expiration></R>
                """)
        }
        var options = Client.Options(version: "1")
        options.usesProxy = false
        let ring = S3KeyRing(
            .webIdentity(
                tokenFile: "\(folder.path)/identity", role: "r", session: "s",
                service: try Address(service.origin + "/")),
            sender: Client(options), pacing: .system)
        func atOnce(_ work: @escaping @Sendable () async throws -> Void) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await work() } }
                try await group.waitForAll()
            }
        }
        try await atOnce { try await ring.prepare() }
        #expect(ring.current?.id == "second" && service.requests.count == 1)
        let first = S3Key(id: "first", secret: try #require(Secret(S3Stub.secret)), token: nil)
        try await atOnce {
            let isRenewed = try await ring.renew(first)
            #expect(isRenewed)
        }
        #expect(service.requests.count == 1)
        let second = ring.current
        #expect(try await ring.renew(second))
        #expect(service.requests.count == 2)
        await service.stop()
    }

    /// Other implementations that check signatures, where they are installed: moto, which checks rights too (from
    /// PyPI), and OpenStack Swift (from Debian or PyPI).
    @Test(arguments: ["moto", "swift"])
    func agreesWithOtherImplementations(name: String) async throws {
        let folder = try TestFolder()
        let script =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/\(name)_bucket.py"
        let port = try freeLoopbackPort()
        let child = ChildProcess(
            program: "python3", arguments: [script, "\(port)", "\(folder.path)/key.json"],
            environment: ProcessInfo.processInfo.environment, folder: "/", mostSeconds: 300)
        let server = Task { try await child.run().status }
        defer { server.cancel() }
        let hasStarted = Task {
            while !Task.isCancelled, folder.text("key.json") == nil {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        let watch = Task {
            // 77: it is not installed.
            _ = try? await server.value
            hasStarted.cancel()
        }
        _ = await hasStarted.result
        guard let text = folder.text("key.json") else {
            #expect(try await server.value == 77)
            print("\(name) is not installed: it was not asked")
            return
        }
        _ = watch
        let key = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        let origin = "http://127.0.0.1:\(port)"
        let environment = [
            "AWS_ACCESS_KEY_ID": key["id"] ?? "", "AWS_SECRET_ACCESS_KEY": key["secret"] ?? "",
        ]
        // moto refuses signatures of queries with "/", those of botocore too.
        let values = name == "moto" ? [:] : ["prefix": "apps/a b+c"]
        if name == "swift" {
            let refused = await publishing(
                try folder.site(Edition.files(0)), to: try target(origin, values, environment: environment))
            #expect(refused.failure?.hints.first?.hasPrefix("set 'conditions: false'") == true)
        }
        let target = try target(
            origin, values, environment: environment, conditions: name != "swift")
        for edition in [0, 1, 2] {
            let site = try folder.site(Edition.files(edition))
            let outcome = await publishing(site, to: target)
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
            #expect(await publishing(site, to: target).plan?.uploads == [])
        }
        let wrong = environment.merging(["AWS_SECRET_ACCESS_KEY": "wrong"]) { $1 }
        let refused = await publishing(
            try folder.site(["index.html": "1"]), to: try self.target(origin, environment: wrong))
        #expect(refused.failure?.hints == ["check the access key and its secret"], "\(refused.word)")
    }

    @Test func keysComeFromEveryPlace() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start(token: "t0ken"))
        try folder.write(
            "keys",
            """
            [default]
            aws_access_key_id = WRONG
            [reports]
            # the one
            aws_access_key_id = \(S3Stub.key)
            aws_secret_access_key=\(S3Stub.secret)
            aws_session_token = t0ken
            """)
        let site = try folder.site(["index.html": "1"])
        let environment = [
            "AWS_ACCESS_KEY_ID": S3Stub.key, "AWS_SECRET_ACCESS_KEY": S3Stub.secret,
            "AWS_SESSION_TOKEN": "t0ken",
        ]
        let file = ["AWS_SHARED_CREDENTIALS_FILE": "\(folder.path)/keys", "AWS_PROFILE": "reports"]
        for target in [
            try target(bucket.server.origin, environment: environment),
            try target(bucket.server.origin, environment: file),
            try target(
                bucket.server.origin, ["credentials": "\(folder.path)/keys", "profile": "reports"],
                environment: ["HOME": "/nowhere"]),
        ] {
            let outcome = await publishing(site, to: target)
            #expect(["published", "unchanged"].contains(outcome.word), "\(bucket.complaints)")
        }
        await bucket.server.stop()
    }

    @Test func aRoleIsAssumedWithAWebIdentity() async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start(token: "lent"))
        try folder.write("identity", "id3ntity\n")
        let service = try await LoopbackServer.start { request in
            .text(
                """
                <AssumeRoleWithWebIdentityResponse><Credentials><AccessKeyId>\(S3Stub.key)</AccessKeyId>
                <SecretAccessKey>\(S3Stub.secret)</SecretAccessKey><SessionToken>lent</SessionToken>
                <Expiration>2037-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResponse>
                """)
        }
        let environment = [
            "AWS_WEB_IDENTITY_TOKEN_FILE": "\(folder.path)/identity", "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
            "AWS_ENDPOINT_URL_STS": service.origin + "/",
        ]
        let outcome = await publishing(
            try folder.site(["index.html": "1"]),
            to: try target(bucket.server.origin, environment: environment))
        #expect(outcome.word == "published", "\(String(describing: outcome.failure)) \(bucket.complaints)")
        #expect(service.requests.count == 1)
        #expect(
            service.requests.first?.text
                == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=plimsoll&WebIdentityToken=id3ntity"
        )
        await service.stop()
        await bucket.server.stop()
    }

    @Test(arguments: [
        (403, "AccessDenied", "allow the key s3:GetObject"), (403, "InvalidAccessKeyId", "check the access"),
        (404, "NoSuchBucket", "check 'bucket'"), (301, "PermanentRedirect", "check 'region'"),
        (400, "AuthorizationHeaderMalformed", "check 'region'"), (503, "SlowDown", "try again later"),
        (429, "TooManyRequests", "try again later"), (507, "InsufficientStorage", "free some space"),
    ])
    func everyRefusalHasANextStep(status: Int, code: String, hint: String) async throws {
        let folder = try TestFolder()
        let bucket = try await S3Stub.start { _, _ in .refuse(status, code) }
        let outcome = await publishing(
            try folder.site(["index.html": "1"]), to: try target(bucket.server.origin))
        let failure = try #require(outcome.failure)
        #expect(failure.hints.contains { $0.hasPrefix(hint) }, "\(failure)")
        #expect(failure.details.contains { $0.contains("\(code): no & never") }, "\(failure)")
        #expect(!"\(failure)".contains(S3Stub.secret))
        await bucket.server.stop()
    }

    @Test(arguments: [
        ["bucket": "a/b"], ["bucket": "s3://reports"], ["prefix": "a/../b"], ["endpoint": "file:///tmp"],
        ["endpoint": "host"],
    ])
    func wrongPlacesAreRefused(values: [String: String]) async {
        let problem = await problem { _ = try target("http://127.0.0.1:1", values) }
        #expect(problem != nil)
    }

    @Test func withoutKeysItSaysWhereTheyAreLookedFor() async {
        let problem = await problem {
            _ = try target("http://127.0.0.1:1", environment: ["HOME": "/nowhere"])
        }
        #expect(problem?.id == "publish.credentials" && problem?.hints.count == 2)
    }

    @Test(arguments: [
        ("", "", "https://reports.s3.us-east-1.amazonaws.com/p/a%20b.html"),
        ("", "path", "https://s3.us-east-1.amazonaws.com/reports/p/a%20b.html"),
        ("https://minio.example:9000", "", "https://minio.example:9000/reports/p/a%20b.html"),
        ("https://minio.example/s3", "host", "https://reports.minio.example/s3/p/a%20b.html"),
        ("https://storage.example/v1/s3/", "path", "https://storage.example/v1/s3/reports/p/a%20b.html"),
        ("cn-north-1", "", "https://reports.s3.cn-north-1.amazonaws.com.cn/p/a%20b.html"),
    ])
    func addressesFollowTheService(endpoint: String, addressing: String, expected: String) throws {
        var values: [String: TargetSetup.Value] = ["bucket": .text("reports"), "prefix": .text("/p/")]
        let (region, endpoint) = endpoint.hasPrefix("cn-") ? (endpoint, "") : ("", endpoint)
        if !region.isEmpty { values["region"] = .text(region) }
        if !endpoint.isEmpty { values["endpoint"] = .text(endpoint) }
        if !addressing.isEmpty { values["addressing"] = .text(addressing) }
        let client = Client(Client.Options(version: "1"))
        let place = try S3Place(
            TargetSetup(id: "s3", values: values, folder: "/", environment: [:]) { _ in client })
        #expect(try place.address(of: "a b.html").text == expected)
    }

    // MARK: Faults

    /// From a request on, every tenth of a publication, everything is refused: what readers find has no broken link,
    /// and the next publication completes it.
    @Test(arguments: [
        (403, "AccessDenied"), (500, "InternalError"), (503, "SlowDown"), (429, "TooManyRequests"),
        (409, "ConditionalRequestConflict"), (412, "PreconditionFailed"), (507, "InsufficientStorage"),
    ])
    func aBrokenPublicationLeavesEveryLinkWorking(status: Int, code: String) async throws {
        for edition in status == 403 ? [0, 1] : [1] {
            for cut in [1, 11, 21] {
                let folder = try TestFolder()
                let before = Edition.files(0)
                let last = Mutex<Int?>(edition == 0 ? cut : nil)
                let bucket = try await S3Stub.start { number, _ in
                    last.withLock { $0.map { number > $0 } ?? false } ? .refuse(status, code) : nil
                }
                if edition == 1 {
                    let first = await publishing(
                        try folder.site(before), to: try target(bucket.server.origin))
                    #expect(first.word == "published", "\(String(describing: first.failure))")
                    last.withLock { $0 = bucket.count + cut }
                }
                let site = try folder.site(Edition.files(edition))
                let broken = await publishing(site, to: try target(bucket.server.origin))
                let failure = broken.failure
                if bucket.count > last.withLock({ $0 ?? .max }) {
                    #expect(failure?.hints.isEmpty == false, "\(broken.word)")
                }
                #expect(Edition.brokenLinks(texts(bucket)) == [], "cut at \(cut)")
                bucket.heal()
                let next = await publishing(site, to: try target(bucket.server.origin))
                #expect(
                    ["published", "unchanged"].contains(next.word), "\(String(describing: next.failure))")
                #expect(Set(folder.tree("site").keys).subtracting(texts(bucket).keys) == [])
                #expect(Edition.brokenLinks(texts(bucket)) == [])
                await bucket.server.stop()
            }
        }
    }

    /// Where not even the list can be written at the end, what was there when it was written last is not sent again.
    @Test func aBreakCostsOnlyWhatWasSentSinceTheListWasWritten() async throws {
        let folder = try TestFolder()
        let lists = Mutex(0)
        let bucket = try await S3Stub.start { _, request in
            let isList = request.method == "PUT" && request.path.hasSuffix(PublicationManifest.fileName)
            let count = lists.withLock { lists in
                if isList { lists += 1 }
                return lists
            }
            return count > 2 ? .refuse(403, "AccessDenied") : nil
        }
        var made = try #require(try target(bucket.server.origin) as? StoreTarget<S3Store>)
        made.mostUnsaved = .zero
        let text = String(repeating: "x", count: 100_000)
        let names = (0..<20).map { "p\($0).svg" }
        let site = try folder.site(Dictionary(uniqueKeysWithValues: names.map { ($0, $0 + text) }))
        let broken = await publishing(site, to: made)
        #expect(broken.failure != nil, "\(broken.word)")
        bucket.heal()
        let count = bucket.server.requests.count
        let next = await publishing(site, to: made)
        #expect(next.word == "published", "\(String(describing: next.failure))")
        let again = bucket.server.requests.dropFirst(count).filter {
            $0.method == "PUT" && $0.path.hasSuffix(".svg")
        }
        #expect(again.count < names.count, "\(again.count)")
        #expect(texts(bucket) == folder.tree("site"))
        await bucket.server.stop()
    }

    /// Every tenth request fails once, also after it was served: nothing is lost and no one notices.
    @Test(arguments: [500, 503, 429])
    func faultsThatPassAreTriedAgain(status: Int) async throws {
        let folder = try TestFolder()
        let bucket = try await S3Stub.start { number, _ in
            switch number % 10 {
            case 3: .refuse(status, "SlowDown")
            case 7: .serveAndRefuse(status, "InternalError")
            case 9: .refuse(400, "RequestTimeout")
            default: nil
            }
        }
        for edition in [0, 1, 2] {
            let outcome = await publishing(
                try folder.site(Edition.files(edition)), to: try target(bucket.server.origin, attempts: 12))
            #expect(outcome.word == "published", "\(String(describing: outcome.failure))")
        }
        #expect(Edition.brokenLinks(texts(bucket)) == [])
        #expect(Set(folder.tree("site").keys).subtracting(texts(bucket).keys) == [])
        await bucket.server.stop()
    }

    /// The answer to the very write of the manifest is lost: its repetition finds its own work there.
    @Test func aLostAnswerToTheManifestIsNoConflict() async throws {
        let folder = try TestFolder()
        let bucket = try await S3Stub.start { number, request in
            request.method == "PUT" && request.path.hasSuffix(PublicationManifest.fileName)
                && number < 40 ? .serveAndRefuse(500, "InternalError") : nil
        }
        let target = try target(bucket.server.origin)
        let outcome = await publishing(try folder.site(["index.html": "1"]), to: target)
        // Three attempts, all served and none answered: it is not certain.
        #expect(outcome.word == "publish.refused")
        bucket.heal()
        let next = await publishing(try folder.site(["index.html": "1"]), to: target)
        #expect(next.word == "published", "\(String(describing: next.failure))")
        await bucket.server.stop()
    }

    @Test(arguments: [true, false])
    func twoPublicationsDoNotMix(conditions: Bool) async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
        let target = try target(bucket.server.origin, conditions: conditions)
        let site = try folder.site(["index.html": "1"])
        let plan = PublicationPlan(site.files, over: try await target.lastPublication())
        _ = await publishing(try folder.site(["index.html": "2"], in: "other"), to: target)
        let problem = await problem {
            try await target.apply(plan, of: site, at: "2026-11-20T06:00:00Z") { _ in }
        }
        #expect(problem?.id == (conditions ? "publish.overtaken" : nil))
        #expect(bucket.objects["index.html"]?.text == (conditions ? "2" : "1"))
        await bucket.server.stop()
    }

    /// A publication that slept goes on after another one has come to its end: it stops, and the next one puts it right.
    @Test(arguments: [true, false])
    func theNextPublicationRepairsWhatTwoMixed(looksAtEachFile: Bool) async throws {
        let (folder, bucket) = (try TestFolder(), try await S3Stub.start())
        var made = try #require(try target(bucket.server.origin) as? StoreTarget<S3Store>)
        if looksAtEachFile { made.mostUnwatched = .zero }
        let target = made
        func edition(_ name: String, _ more: [String]) throws -> SiteFolder {
            let names = (0..<20).map { "p\($0).svg" } + ["index.html"] + more
            return try folder.site(Dictionary(uniqueKeysWithValues: names.map { ($0, name) }), in: name)
        }
        _ = await publishing(try edition("0", ["old.html"]), to: target)
        let (slow, quick) = (try edition("1", ["mine.svg"]), try edition("2", ["old.html"]))
        let served = target.served
        let plan = PublicationPlan(slow.files, over: try await target.lastPublication(), served: served)
        let begun = LastPublication(PublicationManifest(beginning: plan, at: "2026-11-20T06:00:00Z"))
        let isOvertaken = Mutex(false)
        let problem = await problem {
            try await target.apply(plan, of: slow, at: "2026-11-20T06:00:00Z") { _ in
                isOvertaken.withLock { isOvertaken in
                    guard !isOvertaken else { return }
                    isOvertaken = true
                    let other = PublicationPlan(quick.files, over: begun, served: served)
                    for file in quick.files {
                        let bytes = (try? quick.bytes(of: file)) ?? []
                        bucket.put(file.path.text, String(decoding: bytes, as: UTF8.self))
                    }
                    let list = PublicationManifest(after: other, at: "2026-11-20T07:00:00Z")
                    bucket.put(PublicationManifest.fileName, String(decoding: list.bytes, as: UTF8.self))
                }
            }
        }
        #expect(problem?.id == "publish.overtaken")
        let mixed = texts(bucket)
        #expect(mixed["index.html"] == "2" && mixed["old.html"] == "2")
        if looksAtEachFile { #expect(mixed.values.count { $0 == "1" } <= 8) }
        let next = await publishing(quick, to: target) { $0.mostRemoved = nil }
        #expect(next.word == "published", "\(String(describing: next.failure))")
        #expect(texts(bucket) == folder.tree("2"))
        #expect(await publishing(quick, to: target).word == "unchanged")
        await bucket.server.stop()
    }
}
