package stm_test

import (
	"fmt"

	"github.com/durachart/durachart/statechart/stm"
)

func ExampleParseText() {
	f, err := stm.ParseText("door.stm", `
event Open {}
event Close {}
machine door {
  initial Closed
  state Closed {}
  state Opened { timeout 30 }
  from Closed to Opened on Open
  from Opened to Closed on Close | timeout
}
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(stm.Print(f.Charts[0]))
	// Output:
	// event Open {}
	// event Close {}
	// machine door {
	//   initial Closed
	//   state Closed {}
	//   state Opened {
	//     timeout 30s
	//   }
	//   from Closed to Opened on Open
	//   from Opened to Closed on Close | timeout
	// }
}

func ExampleFile_Report() {
	_, err := stm.ParseText("order.stm", `event Packed {}
machine order {
  initial Packing
  state Packing {}
  final Shipped
  from Packing to Shippd on Packed
}
`)
	fmt.Print(err)
	// Output:
	// order.stm:5:9: warning unreachable: nothing enters "Shipped"
	//     5 |   final Shipped
	//       |         ^^^^^^^
	// order.stm:6:19: error unknown_state: no state "Shippd" can be reached from here
	//     6 |   from Packing to Shippd on Packed
	//       |                   ^^^^^^
	//    hint: did you mean "Shipped"?
}
