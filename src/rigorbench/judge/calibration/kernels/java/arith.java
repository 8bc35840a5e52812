// 64-bit integer and floating-point arithmetic in one long loop.
public class Main {
    public static void main(String[] arguments) {
        long x = 1, sum = 0;
        double f = 0.0;
        for (int i = 0; i < 12000000; i++) {
            x = x * 48271 % 2147483647;
            sum = (sum + (x & 255)) % 1000003;
            f = f * 0.5 + (double) (x & 1023);
        }
        System.out.println(sum + " " + (long) f);
    }
}
