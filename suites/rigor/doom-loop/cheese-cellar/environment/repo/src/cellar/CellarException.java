package cellar;

/** A command that cannot be carried out; the message is one line. */
public final class CellarException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CellarException(String message) {
        super(message);
    }
}
