import Foundation
import Transport

/// What an answer of 403 says the account's plan or the token's owner lacks: `{"errors": ["…"]}`.
func bugsnagMissingPermissions(in refusal: Response) -> [String] {
    guard refusal.status == 403,
        let answer = try? JSONDecoder().decode(Refusal.self, from: Data(refusal.body))
    else { return [] }
    return answer.errors.prefix(5).map { String(refusal.redaction.masked($0).prefix(200)) }
}

private struct Refusal: Decodable {
    var errors: [String]
}
