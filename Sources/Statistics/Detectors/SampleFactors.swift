/// By what the counts of each day were multiplied, as `CrashRateDropDetector` takes it; 1 where they are no sample.
///
/// A day without counts has what is stated of it, else the factor of the day before.
///
/// - Parameter stated: By what the counts of each day are stated to be multiplied; 1, or none at all, where nothing is.
package func sampleFactors(of series: [DayCount?], stated: [Double] = []) -> [Double] {
    let samples = SampledCounts(series, factors: stated).days
    var last = 1.0
    return series.indices.map { place in
        let known = stated.indices.contains(place) && stated[place] > 1 ? stated[place] : nil
        if let all = series[place]?.total, let seen = samples[place]?.total, seen > 0 {
            // The count of the sample is rounded, what is stated is not.
            let fits = known.map { abs(Double(all) / $0 - Double(seen)) <= 0.5 } ?? false
            last = fits ? known ?? 1 : Double(all) / Double(seen)
        } else if let known {
            last = known
        }
        return last
    }
}
