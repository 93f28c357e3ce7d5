extension AppPlan {
    /// Issues whose titles would do harm in a page that takes foreign text on trust.
    static let sketchbookHostileIssues: [IssuePlan] = [
        sketchbookCrash(5, "importer-7", longTitle, "Sources/Import/Importer.swift", 7),
        sketchbookCrash(
            6, "palette-31", "`Palette.color(at:)` gave ``nil`` for ```index``` 31",
            "Sources/Palette.swift",
            31),
        sketchbookCrash(
            7, "brush-19", "Stroke | width | NaN | |---|:-:| | 0 | <1 pt |", "Sources/Brush/Stroke.swift", 19),
        sketchbookCrash(
            8, "export-77", "Export failed: \"<script>alert(1)</script>.png\" & more",
            "Sources/Namer.swift", 77),
        sketchbookCrash(
            10, "layers/Blend#7", "خطأ في Layer.blend() \u{202E}gpj.exe שכבה ריקה 7 (Blend)",
            "Sources/Layers/Blend.swift", nil),
        sketchbookCrash(
            11, "sticker-3", "👩‍👩‍👧‍👦 sticker 🏳️‍🌈 🇯🇵🇧🇷 lost its place 🖍️", "Sources/Sticker/Sticker.swift", 3),
        sketchbookCrash(12, "unnamed-0", "", "Sources/Engine/Plugin.swift", 1),
    ]

    /// A title of exactly 300 characters without a good place to break it.
    private static let longTitle = String(
        ("NSInvalidArgumentException: *** -[__NSArrayM insertObject:atIndex:]: object cannot be nil; at="
            + String(repeating: "LayeredDocumentImporterFactoryDelegateProxy.", count: 5)).prefix(300))
}
