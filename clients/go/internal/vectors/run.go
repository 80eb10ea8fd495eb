package vectors

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// A Failure is the step at which a scenario ended, with all that is wrong there.
type Failure struct {
	Step        int
	Differences []Difference
	// Err is set where the step could not be made.
	Err error
}

// Lacking lists what a scenario needs and the runner is not able to do.
func (s *Scenario) Lacking(able ...string) []string {
	var lacking []string
	for _, need := range s.Needs {
		if !slices.Contains(able, need) {
			lacking = append(lacking, need)
		}
	}
	return lacking
}

// Run makes the steps of a scenario up to the first that fails; nil says that none did.
func (s *Scenario) Run(ctx context.Context, caller Caller, headers map[string]string) *Failure {
	variables := map[string]string{}
	maps.Copy(variables, s.Variables)
	for at, step := range s.Steps {
		found, err := step.run(ctx, caller, headers, variables)
		if err != nil || len(found) > 0 {
			return &Failure{Step: at, Differences: found, Err: err}
		}
	}
	return nil
}

func (s *Step) run(
	ctx context.Context, caller Caller, headers, variables map[string]string,
) ([]Difference, error) {
	outcome, err := s.send(ctx, caller, headers, variables)
	if err != nil {
		return nil, err
	}
	saved, err := s.keep(outcome["answer"], variables)
	if err != nil {
		return nil, err
	}
	missing, err := s.setAside(outcome["answer"])
	if err != nil {
		return nil, err
	}
	return slices.Concat(saved, missing, differences(s.Expect.Outcome, outcome, "")), nil
}

// send makes the call of a step.
func (s *Step) send(
	ctx context.Context, caller Caller, headers, variables map[string]string,
) (map[string]any, error) {
	if s.Metadata != nil {
		own, err := resolve(s.Metadata, variables)
		if err != nil {
			return nil, err
		}
		if headers, err = texts(own); err != nil {
			return nil, err
		}
	}
	request, err := resolve(s.Request, variables)
	if err != nil {
		return nil, err
	}
	return caller.Call(ctx, s.RPC, headers, request, s.RequestBytes)
}

// keep saves what later steps refer to.
func (s *Step) keep(answer any, variables map[string]string) ([]Difference, error) {
	var missing []Difference
	for _, name := range slices.Sorted(maps.Keys(s.Save)) {
		path := s.Save[name]
		text, ok, err := textAt(answer, path)
		if err != nil {
			return nil, err
		}
		if !ok {
			missing = append(missing, Difference{"answer." + path, "(a text to save as " + name + ")", absent})
			continue
		}
		variables[name] = text
	}
	return missing, nil
}

// setAside takes out of an answer what is not compared; what stands under any has to be there.
func (s *Step) setAside(answer any) ([]Difference, error) {
	if answer == nil {
		return nil, nil
	}
	var missing []Difference
	for _, path := range s.Expect.Any {
		taken, err := takeOut(answer, path)
		if err != nil {
			return nil, err
		}
		if taken == 0 {
			missing = append(missing, Difference{"answer." + path, "(anything)", absent})
		}
	}
	for _, path := range s.Expect.Ignore {
		if _, err := takeOut(answer, path); err != nil {
			return nil, err
		}
	}
	return missing, nil
}

func texts(value any) (map[string]string, error) {
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("metadata is no object: %v", value)
	}
	found := make(map[string]string, len(fields))
	for name, each := range fields {
		text, ok := each.(string)
		if !ok {
			return nil, fmt.Errorf("metadata %s is no text: %v", name, each)
		}
		found[name] = text
	}
	return found, nil
}
