// The library's sort over a million pseudo-random numbers.
import java.util.Arrays;

public class Main {
    public static void main(String[] arguments) {
        int n = 1000000;
        int[] a = new int[n];
        long x = 7, sum = 0;
        for (int i = 0; i < n; i++) {
            x = x * 48271 % 2147483647;
            a[i] = (int) x;
        }
        Arrays.sort(a);
        for (int i = 0; i < n; i++) sum = (sum + (long) (i % 7) * a[i]) % 1000000007;
        System.out.println(sum);
    }
}
