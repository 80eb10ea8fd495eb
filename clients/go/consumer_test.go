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
const given = "ctx context.Context, client *burraco.Client, err error, address, token string, state []byte"

var (
	blocks   = regexp.MustCompile("(?s)```go\n(.*?)```")
	defined  = regexp.MustCompile(`(?m)^(\w+), (\w+) :=`)
	commands = regexp.MustCompile(`(?m)^go (mod (?:init|edit) .*)$`)
)

// quickStart is the program that the README begins with.
func quickStart(t *testing.T) string {
	t.Helper()
	return blocks.FindStringSubmatch(read(t, "README.md"))[1]
}

// snippets makes a function of each Go block of the README behind the quick start; its variables need not be used there.
func snippets(t *testing.T) string {
	t.Helper()
	source := imports
	for at, block := range blocks.FindAllStringSubmatch(read(t, "README.md"), -1)[1:] {
		source += fmt.Sprintf("\nfunc block%d(%s) {\n%s", at, given, block[1])
		for _, names := range defined.FindAllStringSubmatch(block[1], -1) {
			source += strings.ReplaceAll(fmt.Sprintf("_, _ = %s, %s\n", names[1], names[2]), ", _\n", ", 0\n")
		}
		source += "}\n"
	}
	return source
}

// runModule makes another module of these files by the commands of the README, runs it, and returns what it prints.
// What it takes is there, since this module was built.
func runModule(t *testing.T, files map[string]string) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	files["go.sum"] = read(t, "go.sum")
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	steps := []string{}
	for _, command := range commands.FindAllStringSubmatch(read(t, "README.md"), -1) {
		steps = append(steps, strings.Replace(command[1], "../burraco/clients/go", here, 1))
	}
	var output []byte
	for _, step := range append(steps, "run -mod=mod .") {
		command := exec.Command("go", strings.Fields(step)...)
		command.Dir = folder
		command.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
		if output, err = command.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", step, err, output)
		}
	}
	return string(output)
}

// Another module uses this one as the README says, and all that the README shows compiles.
func TestAnotherModuleUsesThis(t *testing.T) {
	output := runModule(t, map[string]string{"main.go": consumer, "readme.go": snippets(t)})
	if output != "burraco.Client(dns:///localhost:1) <nil> 7S JK\n" {
		t.Error(output)
	}
}
