import Foundation
import Platform
import Testing

@testable import PlimsollCommand

/// Pages of another build of the program are never kept, whatever the size and the date of its file.
struct ProgramMarkTests {
    @Test func theMarkIsOfTheBytesOfTheProgram() throws {
        let number = try #require(buildNumber())
        #expect(number.count >= 16)
        let program = try #require(Bundle.main.executableURL)
        #expect(try Data(contentsOf: program, options: .mappedIfSafe).range(of: Data(number)) != nil)
        #expect(programMark.hasSuffix(number.map { String(format: "%02x", $0) }.joined()))
    }
}
