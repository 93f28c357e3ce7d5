#if os(Linux)
    import Testing

    /// libcurl is loaded by what sends requests, and by nothing else.
    struct LibcurlTests {
        /// A folder whose libcurl is found first and cannot be loaded.
        private static func hidden(in folder: Folder) throws -> [String: String] {
            try folder.write("broken/libcurl.so.4", "")
            return ["LD_LIBRARY_PATH": folder.path + "/broken", "QUAY_TOKEN": token]
        }

        @Test func sitesAreBuiltWithoutIt() async throws {
            let folder = try Folder(copyOf: try await FirstNight.shared.folder)
            let build = try await Program.run(
                "build", "--full", in: folder, environment: try Self.hidden(in: folder))
            #expect(build.status == 0, "\(build.printed)")
        }

        @Test func fetchSaysThatItIsMissing() async throws {
            let folder = try Folder(copyOf: try await FirstNight.shared.folder)
            let fetch = try await Program.run("fetch", in: folder, environment: try Self.hidden(in: folder))
            #expect(fetch.status == 127)
            let message = "error: libcurl cannot be loaded: \(folder.path)/broken/libcurl.so.4"
            #expect(
                fetch.errors.contains(message) && fetch.errors.contains("hint: install libcurl"),
                "\(fetch.errors)")
        }
    }
#endif
