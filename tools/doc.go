// Package tools pins the programs that make check runs and tests the lint
// configuration. Nothing of it is part of the product.
package tools
