import Foundation
import Testing

@testable import Providers

/// The decoder against Foundation's, which is known to be right.
struct TapeDecoderTests {
    private struct Everything: Decodable, Equatable {
        var whole: Int?
        var small: Int8?
        var positive: UInt64?
        var number: Double?
        var text: String?
        var flag: Bool?
        var list: [Int]?
        var deep: [[String: [Int]]]?
        var table: [String: Double]?
        var inner: Inner?

        struct Inner: Decodable, Equatable {
            var name: String
            var missing: Int?
        }
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
        guard let tape = try? JSONTape(bytes) else { return nil }
        return try? Value(from: TapeDecoder(tape: tape, index: 0))
    }

    @Test(arguments: [
        "{}", "[]", "null", "1", "\"\"", " {} ", "{} x", "{", "", "{\"whole\":}", "{\"whole\":1,}", "{,}",
        #"{"whole":0}"#, #"{"whole":-0}"#, #"{"whole":12}"#, #"{"whole":-12}"#, #"{"whole":12.0}"#,
        #"{"whole":1.2e1}"#, #"{"whole":12.5}"#, #"{"whole":"12"}"#, #"{"whole":true}"#, #"{"whole":null}"#,
        #"{"whole":9223372036854775807}"#, #"{"whole":9223372036854775808}"#,
        #"{"whole":-9223372036854775808}"#, #"{"whole":999999999999999999}"#, #"{"whole":1e400}"#,
        #"{"whole":01}"#, #"{"whole":1.}"#, #"{"whole":1.e2}"#, #"{"whole":.5}"#, #"{"whole":+1}"#,
        #"{"whole":1-2}"#, #"{"whole":1e}"#, #"{"whole":--1}"#, #"{"other":01}"#, #"{"other":1-2}"#,
        #"{"small":127}"#, #"{"small":128}"#, #"{"small":-128}"#, #"{"positive":18446744073709551615}"#,
        #"{"positive":-1}"#, #"{"number":0.1}"#, #"{"number":1e-7}"#, #"{"number":1E+2}"#,
        #"{"number":1e400}"#, #"{"number":3}"#, #"{"number":-0.0}"#, #"{"number":"NaN"}"#,
        #"{"number":00.1}"#, #"{"flag":true}"#, #"{"flag":false}"#, #"{"flag":1}"#, #"{"flag":tru}"#,
        #"{"text":"é ü 日本 😀"}"#, #"{"text":"\u00e9\n\t\"\\\/\b\f\r"}"#, #"{"text":"\ud83d\ude00"}"#,
        #"{"text":"\ud83d"}"#, #"{"text":"\ude00"}"#, #"{"text":"\ud83dx"}"#, #"{"text":"\ud83d\u0041"}"#,
        #"{"text":"\u00g0"}"#, #"{"text":"\u00"}"#, #"{"text":"\x"}"#, #"{"text":"\u0000"}"#,
        "{\"text\":\"a\nb\"}", "{\"text\":\"a\u{1}b\"}", "{\"text\":\"a\u{7f}b\"}", #"{"text":7}"#,
        #"{"other":"\x"}"#, #"{"te\u0078t":"by an escaped key"}"#, #"{"text":"first","text":"second"}"#,
        #"{"text":null,"text":"second"}"#, #"{"list":[]}"#, #"{"list":[1,2,3]}"#, #"{"list":[1,null]}"#,
        #"{"list":[1,"2"]}"#, #"{"list":{}}"#, #"{"list":[1 2]}"#, #"{"list":[1,]}"#, #"{"list":[1,,]}"#,
        #"{"list":[,]}"#, #"{"list":[1],,}"#,
        #"{"deep":[{"a":[1],"b":[]},{}]}"#, #"{"deep":[{"a":[1],"b":7}]}"#, #"{"table":{"7":1,"x":2.5}}"#,
        #"{"inner":{"name":"n"}}"#, #"{"inner":{}}"#, #"{"inner":[]}"#, #"{"inner":{"name":null}}"#,
        "\u{FEFF}{\"whole\":1}", "{\"whole\" : 1 ,\r\n\t\"text\": \"t\" }", "{'whole':1}", "{whole:1}", "NaN",
    ])
    func readsAsFoundationDoes(text: String) {
        let bytes = Array(text.utf8)
        #expect(
            decoded(Everything.self, bytes) == (try? JSONDecoder().decode(Everything.self, from: Data(bytes)))
        )
        let whole = "[\(text)]"
        #expect(
            decoded([Everything?].self, Array(whole.utf8))
                == (try? JSONDecoder().decode([Everything?].self, from: Data(whole.utf8))))
    }

    @Test(arguments: [
        [0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80],
    ])
    func refusesTextsThatAreNotUTF8WhereTheyAreRequested(odd: [UInt8]) {
        let text = Array("{\"text\":\"".utf8) + odd + Array("\"}".utf8)
        #expect(decoded(Everything.self, text) == nil)
        let other = Array("{\"other\":\"".utf8) + odd + Array("\",\"whole\":1}".utf8)
        #expect(decoded(Everything.self, other) == Everything(whole: 1))
    }

    @Test func findsEachOfManyMembers() {
        let names = (0..<500).map { "key \($0)" }
        let text = names.map { "\"\($0)\":\($0.dropFirst(4))" }.joined(separator: ",")
        let table = decoded([String: Int].self, Array("{\(text),\"key 7\":-1}".utf8))
        #expect(table?.count == 500)
        #expect(table?["key 7"] == 7 && table?["key 499"] == 499)
        let many = decoded(Everything.self, Array("{\(text),\"text\":\"last\"}".utf8))
        #expect(many == Everything(text: "last"))
    }

    @Test(arguments: [
        String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian,
        .utf32BigEndian,
    ])
    func readsTextsOfWideCharacters(encoding: String.Encoding) throws {
        let text = #"{"count":12,"name":"é"}"#
        for marked in ["", "\u{FEFF}"] {
            let bytes = try #require((marked + text).data(using: encoding))
            let (value, _) = try ResponseDecoder(provider: "p", endpoint: "e").decode(
                DecodingFailureTests.Wire.self, from: Array(bytes))
            #expect(value.count?.value == 12 && value.name?.text == "é")
        }
    }

    @Test func namesThePathOfAnyValue() throws {
        let tape = try JSONTape(Array(#"{"a":[{"b c":[1,{"d":null}]}],"e":2}"#.utf8))
        let values = [0, 2, 3, 5, 6, 7, 9, 11]
        #expect(
            values.map { keyPathText(tape.path($0)) } == [
                "", "a", "a[0]", #"a[0]["b c"]"#, #"a[0]["b c"][0]"#, #"a[0]["b c"][1]"#,
                #"a[0]["b c"][1].d"#,
                "e",
            ])
        #expect(tape.tokens[0].count == 2)
    }

    @Test func staysAtAnElementThatFails() throws {
        let tape = try JSONTape(Array(#"[1,"x",[2],null]"#.utf8))
        var list = try TapeDecoder(tape: tape, index: 0).list()
        #expect(list.count == 4)
        #expect(try list.decode(Int.self) == 1)
        #expect(throws: DecodingError.self) { try list.decode(Int.self) }
        #expect(list.currentIndex == 1)
        #expect(try list.decode(String.self) == "x")
        var inner = try list.nestedUnkeyedContainer()
        #expect(try inner.decode(Int.self) == 2)
        #expect(inner.isAtEnd && list.currentIndex == 3)
        #expect(try list.decodeNil())
        #expect(list.isAtEnd && list.currentIndex == 4)
        #expect(throws: DecodingError.self) { try list.decode(Int.self) }
    }
}
