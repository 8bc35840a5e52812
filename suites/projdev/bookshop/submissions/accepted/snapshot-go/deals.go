// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae

package main

// Deals in their order. A sum of index i is over the first i deals.
type Deals struct {
	in, out []int64
	saved   int // so many deals are in the file
}

func newDeals() Deals { return Deals{in: []int64{0}, out: []int64{0}} }

func (d *Deals) count() int { return len(d.in) - 1 }

// add appends a deal: money that came in, or went out if it is negative.
func (d *Deals) add(amount int64) {
	in, out := d.in[d.count()], d.out[d.count()]
	if amount < 0 {
		out -= amount
	} else {
		in += amount
	}
	d.in, d.out = append(d.in, in), append(d.out, out)
}

// amount is what add was given for deal i.
func (d *Deals) amount(i int) int64 {
	return d.in[i+1] - d.in[i] - (d.out[i+1] - d.out[i])
}

// last sums over the last deals, of which there are enough.
func (d *Deals) last(deals int) (in, out int64) {
	end := d.count()
	return d.in[end] - d.in[end-deals], d.out[end] - d.out[end-deals]
}
