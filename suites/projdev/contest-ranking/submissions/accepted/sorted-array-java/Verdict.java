// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc
enum Verdict {
    ACCEPTED,
    WRONG,
    CRASH,
    SLOW,
    COMPILE;

    private static final Verdict[] ALL = values();
    private final String word = name().toLowerCase();

    static Verdict of(String word) {
        for (Verdict verdict : ALL) {
            if (verdict.word.equals(word)) {
                return verdict;
            }
        }
        throw new IllegalArgumentException("no verdict: " + word);
    }

    @Override
    public String toString() {
        return word;
    }
}
