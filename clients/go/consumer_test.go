package burraco_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const consumer = `package main

import (
	"fmt"

	"burraco"
	"burraco/cards"
)

func main() {
	client, err := burraco.Dial("dns:///localhost:1")
	hand, _ := cards.ParseAll("7s jk")
	fmt.Println(client, err, cards.Text(hand...))
}
`

const imports = `package main

import (
	"context"
	"errors"
	"fmt"

	"burraco"
	"burraco/burracopb"
	"burraco/moves"
)

// What one block has the imports of and another has not.
var _ = []any{context.Background, errors.New, fmt.Println, burracopb.Card_CARD_7S, moves.Draw, burraco.Seat}
`

// given is what the blocks of the README take for granted.
const given = "ctx context.Context, err error, address, token string, state []byte, store func([]byte)"

var (
	blocks  = regexp.MustCompile("(?s)```go\n(.*?)```")
	defined = regexp.MustCompile(`(?m)^(\w+), (\w+) :=`)
)

// snippets makes a function of each Go block of the README, whose variables need not be used there.
func snippets(t *testing.T) string {
	t.Helper()
	source := imports
	for at, block := range blocks.FindAllStringSubmatch(read(t, "README.md"), -1) {
		source += fmt.Sprintf("\nfunc block%d(%s) {\n%s", at, given, block[1])
		for _, names := range defined.FindAllStringSubmatch(block[1], -1) {
			source += strings.ReplaceAll(fmt.Sprintf("_, _ = %s, %s\n", names[1], names[2]), ", _\n", ", 0\n")
		}
		source += "}\n"
	}
	return source
}

// Another module uses this one as the README says, and all that the README shows compiles. What it takes is there,
// since this one was built.
func TestAnotherModuleUsesThis(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, content := range map[string]string{
		"main.go": consumer, "readme.go": snippets(t), "go.sum": read(t, "go.sum"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var output []byte
	for _, arguments := range [][]string{
		{"mod", "init", "consumer"},
		{"mod", "edit", "-require=burraco@v0.0.0", "-replace=burraco=" + here},
		{"run", "-mod=mod", "."},
	} {
		command := exec.Command("go", arguments...)
		command.Dir = folder
		command.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
		if output, err = command.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", arguments, err, output)
		}
	}
	if text := string(output); text != "burraco.Client(dns:///localhost:1) <nil> 7S JK\n" {
		t.Error(text)
	}
}
