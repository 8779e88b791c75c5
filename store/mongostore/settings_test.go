package mongostore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

func TestSettingsMakeAURI(t *testing.T) {
	for want, s := range map[string]Settings{
		"mongodb://localhost/":       {Hosts: []string{"localhost"}},
		"mongodb://a:27018,b/":       {Hosts: []string{"a:27018", "b"}},
		"mongodb://[::1]/":           {Hosts: []string{"::1"}},
		"mongodb://[::1]:27017/":     {Hosts: []string{"[::1]:27017"}},
		"mongodb://[fe80::1],[::2]/": {Hosts: []string{"[fe80::1]", "::2"}},
		"mongodb+srv://db.example.com/?authSource=admin&tls=true": {
			Hosts: []string{"db.example.com"}, SRV: true, TLS: true, AuthSource: "admin",
		},
		"mongodb://u%40x%3A%2F:p%20%25%3F@h/?authSource=admin&replicaSet=rs": {
			Hosts: []string{"h"}, User: "u@x:/", Password: "p %?", ReplicaSet: "rs",
		},
		"mongodb://u@h/?authMechanism=MONGODB-X509&authSource=%24external&tls=true": {
			Hosts: []string{"h"}, User: "u", AuthMechanism: "MONGODB-X509", TLS: true,
		},
		"mongodb://h/?appName=a%26b%3Dc&maxPoolSize=7": {
			Hosts: []string{"h"}, Options: map[string]string{"maxPoolSize": "7", "appName": "a&b=c"},
		},
	} {
		uri, err := s.URI()
		require.NoError(t, err, want)
		assert.Equal(t, want, uri)
	}
}

// What the driver reads back is what was set.
func TestSettingsAreReadByTheDriver(t *testing.T) {
	uri, err := Settings{
		Hosts: []string{"::1", "h:1"}, User: "ü ser", Password: "pä:/?#[]@%+", ReplicaSet: "r s",
		AuthMechanism: "SCRAM-SHA-256", Options: map[string]string{"appName": "x y"},
	}.URI()
	require.NoError(t, err)
	o := options.Client().ApplyURI(uri)
	require.NoError(t, o.Validate())
	assert.Equal(t, []string{"[::1]", "h:1"}, o.Hosts)
	assert.Equal(t, "ü ser", o.Auth.Username)
	assert.Equal(t, "pä:/?#[]@%+", o.Auth.Password)
	assert.Equal(t, "admin", o.Auth.AuthSource)
	assert.Equal(t, "r s", *o.ReplicaSet)
	assert.Equal(t, "x y", *o.AppName)
}

// D79: the error names the field and not the value, and all mistakes at once.
func TestSettingsNameWhatIsWrong(t *testing.T) {
	const secret = "s3cret"
	for field, s := range map[string]Settings{
		"Hosts: none":             {},
		"Hosts: an empty one":     {Hosts: []string{""}},
		"Hosts: several":          {Hosts: []string{"a", "b"}, SRV: true},
		"Hosts: a port, with SRV": {Hosts: []string{"a:1"}, SRV: true},
		"Hosts: a port out":       {Hosts: []string{"a:70000"}},
		"Hosts: not a host":       {Hosts: []string{secret + "@h"}},
		"Password: empty":         {Hosts: []string{"h"}, User: secret},
		"User: empty":             {Hosts: []string{"h"}, Password: secret},
		"Options: an unknown one": {Hosts: []string{"h"}, Options: map[string]string{"maxPoolSise": secret}},
	} {
		_, err := s.URI()
		require.ErrorIs(t, err, store.ErrInvalidArgument, field)
		assert.ErrorContains(t, err, field)
		assert.NotContains(t, err.Error(), secret)
	}
	_, err := Settings{User: "u", Options: map[string]string{"x": "y"}}.URI()
	assert.ErrorContains(t, err, "Hosts")
	assert.ErrorContains(t, err, "Password")
	assert.ErrorContains(t, err, "Options")
}

// D78: credentials appear nowhere.
func TestSettingsPrintNothing(t *testing.T) {
	s := Settings{Hosts: []string{"h"}, User: "us3r", Password: "s3cret"}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "settings", s)
	text, err := json.Marshal(struct{ S Settings }{s})
	require.NoError(t, err)
	for _, shown := range []string{
		fmt.Sprint(s), fmt.Sprintf("%+v", s), fmt.Sprintf("%#v", s), fmt.Sprintf("%+v", &s), log.String(), string(text),
	} {
		assert.NotContains(t, shown, "s3cret")
		assert.NotContains(t, shown, "us3r")
	}
}
