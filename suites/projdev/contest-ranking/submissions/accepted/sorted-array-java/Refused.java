// rigorbench-canary 9f053aa7-50d0-4793-a06a-a46ec9262edc

/** A command that is answered by an error. It has changed nothing. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String reason) {
        super(reason, null, false, false); // there can be many, and nobody reads their stack
    }
}
