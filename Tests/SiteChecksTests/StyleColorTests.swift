import Testing

@testable import SiteChecks

struct StyleColorTests {
    /// Values, and the color of `--x` as `#rrggbb` parts in 0…255.
    @Test(arguments: [
        ("#fff", [255, 255, 255]), ("#0B5872", [11, 88, 114]), ("rgb(1, 2, 3)", [1, 2, 3]),
        ("rgb(1 2 3)", [1, 2, 3]),
        ("rgb(100% 0% 50%)", [255, 0, 128]), ("var(--y)", [10, 20, 30]), ("var(--none, #010203)", [1, 2, 3]),
        ("white", [255, 255, 255]), ("color-mix(in srgb, #fff 50%, #000)", [128, 128, 128]),
        ("color-mix(in srgb, #fff, #000 75%)", [64, 64, 64]),
        ("color-mix(in srgb, var(--y), var(--y))", [10, 20, 30]),
        ("light-dark(#010203, #fff)", [1, 2, 3]), ("red", [255, 0, 0]), ("RebeccaPurple", [102, 51, 153]),
        ("rgba(1, 2, 3, 1)", [1, 2, 3]), ("rgb(1 2 3 / 100%)", [1, 2, 3]), ("#010203ff", [1, 2, 3]),
        ("hsl(1 2% 3%)", [8, 8, 7]), ("hsl(120, 100%, 25%)", [0, 128, 0]),
        ("hsla(120,100%,25%,1)", [0, 128, 0]), ("hsl(-240deg 100 25)", [0, 128, 0]),
        ("hsl(.5turn 50% 50%)", [64, 191, 191]), ("hsl(200grad 50% 50% / 1)", [64, 191, 191]),
        ("hsl(none 0% 50%)", [128, 128, 128]), ("hsl(3.14159rad 50% 50%)", [64, 191, 191]),
        ("hsl(var(--hue), 50%, 40%)", [51, 102, 153]), ("hwb(194 0% 0%)", [0, 195, 255]),
        ("hwb(0 60% 60%)", [128, 128, 128]),
        ("color-mix(in srgb, red 50%, VAR(--none, blue))", [128, 0, 128]),
    ])
    func colorIsWorkedOut(value: String, parts: [Int]) throws {
        let reader = ColorReader(values: ["x": value, "y": "#0a141e", "hue": "210"], isDark: false)
        let color = try #require(reader.color(of: "x"))
        #expect([color.red, color.green, color.blue].map { Int(($0 * 255).rounded()) } == parts)
    }

    @Test(arguments: [
        "", "redd", "#12", "hsl(1 2%)", "hsl(1foo 2% 3%)", "hsl(0x10 2% 3%)", "var(--x)",
        "color-mix(in oklch, #fff, #000)", "rgb(1 2)", "#ffffff80", "#fff8", "rgb(1 2 3 / 50%)",
        "hsla(1, 2%, 3%, 0.5)", "transparent", "currentcolor",
        "color-mix(in srgb, red nan%, blue)", "color-mix(in srgb, red, blue inf%)",
        "color-mix(in srgb, red 0x10%, blue)", "color-mix(in srgb, red 101%, blue)",
        "color-mix(in srgb, red -1%, blue)", "hsl(1e999 2% 3%)", "hwb(0 1e999% 1e999%)",
    ])
    func otherColorsAreNotGuessed(value: String) {
        #expect(ColorReader(values: ["x": value], isDark: false).color(of: "x") == nil)
    }

    @Test func eachNamedColorIsKnown() {
        #expect(namedColors.count == 148)
        #expect(namedColors.keys.allSatisfy { $0.allSatisfy { ("a"..."z").contains($0) } })
    }

    /// Values that name each other many times over are given up, not worked out.
    @Test func tokensThatGrowWithoutEndHaveNoColor() {
        var values = ["x0": "red"]
        for place in 1..<40 { values["x\(place)"] = "var(--x\(place - 1)) var(--x\(place - 1))" }
        #expect(ColorReader(values: values, isDark: false).color(of: "x39") == nil)
    }

    @Test func importantValuesAreOverLaterOnes() {
        var sheet = TokenSheet()
        sheet.add(Array(":root { --a: #111 ! important; --b: 1 !IMPORTANT; --c: important }".utf8))
        sheet.add(Array(":root { --a: #222; --b: 2!important; --c: 3 }".utf8))
        #expect(
            sheet.values(.init(isDark: false, isSupporting: true)) == ["a": "#111", "b": "2", "c": "3"])
    }

    @Test(arguments: [
        ("#000", "#fff", 21.0), ("#777777", "#ffffff", 4.48), ("#767676", "#ffffff", 4.54),
        ("#123", "#123", 1),
    ])
    func contrastIsThatOfWCAG(front: String, ground: String, ratio: Double) throws {
        let reader = ColorReader(values: ["a": front, "b": ground], isDark: false)
        let (a, b) = (try #require(reader.color(of: "a")), try #require(reader.color(of: "b")))
        #expect(abs(a.contrast(to: b) - ratio) < 0.01)
        #expect(a.contrast(to: b) == b.contrast(to: a))
    }

    @Test func tokensHoldUnderTheirCircumstances() {
        var sheet = TokenSheet()
        sheet.add(
            Array(
                """
                :root { --a: 1; --b: 1; --c: 1; --d: 1 }
                @media screen and (prefers-color-scheme: dark) { :root { --b: 2 } }
                @supports (color: color-mix(in srgb, red, red)) { :root { --c: 3 } }
                @media print { :root { --d: 4 } }
                .box { --a: 5 }
                """.utf8))
        #expect(sheet.hasSupports)
        #expect(
            sheet.values(.init(isDark: false, isSupporting: false)) == [
                "a": "1", "b": "1", "c": "1", "d": "1",
            ])
        #expect(
            sheet.values(.init(isDark: true, isSupporting: true)) == ["a": "1", "b": "2", "c": "3", "d": "1"])
    }
}
