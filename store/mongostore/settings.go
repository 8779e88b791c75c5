package mongostore

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/durachart/durachart/store"
)

// Settings are the parts of a connection string, for services that get them one by
// one (D79). Neither printing nor encoding Settings shows a value of them.
type Settings struct {
	// Hosts are host or host:port each. An IPv6 address may be bracketed or not; one
	// with a port has to be. With SRV there is exactly one, without a port.
	Hosts []string
	// SRV finds the hosts by DNS.
	SRV bool

	User     string
	Password string
	// AuthSource is where the user is defined. Default with credentials: "admin",
	// or "$external" for mechanisms that keep no users in the database.
	AuthSource string
	// AuthMechanism, for example "SCRAM-SHA-256". Default: the server's.
	AuthMechanism string

	ReplicaSet string
	TLS        bool

	// Options are further options by their names in connection strings. Concerns
	// and read preference among them have no effect: the store states its own.
	Options map[string]string
}

// externalMechanisms know the user by other means, so a password may be absent.
var externalMechanisms = []string{"MONGODB-X509", "MONGODB-AWS", "GSSAPI", "MONGODB-OIDC", "PLAIN"}

// knownOptions are those that the driver reads. A misspelt one would have no effect
// and say nothing.
var knownOptions = []string{
	"appname", "authmechanismproperties", "compressors", "connecttimeoutms", "directconnection",
	"heartbeatfrequencyms", "loadbalanced", "localthresholdms", "maxconnecting", "maxidletimems",
	"maxpoolsize", "maxstalenessseconds", "minpoolsize", "readconcernlevel", "readpreference",
	"readpreferencetags", "retryreads", "retrywrites", "servermonitoringmode", "serverselectiontimeoutms",
	"sockettimeoutms", "srvmaxhosts", "srvservicename", "tlsallowinvalidcertificates",
	"tlsallowinvalidhostnames", "tlscafile", "tlscertificatekeyfile", "tlscertificatekeyfilepassword",
	"tlsdisableocspendpointcheck", "tlsinsecure", "w", "wtimeoutms", "journal", "zlibcompressionlevel",
	"zstdcompressionlevel",
}

// URI returns the connection string. The error is store.ErrInvalidArgument and names
// every field that is wrong, and no value.
func (s Settings) URI() (string, error) {
	var problems []error
	refuse := func(field, why string) {
		problems = append(problems, fmt.Errorf("%w: settings: %s: %s", store.ErrInvalidArgument, field, why))
	}
	hosts := s.hosts(refuse)
	s.checkCredentials(refuse)
	query := s.query(refuse)
	if len(problems) > 0 {
		return "", errors.Join(problems...)
	}
	var uri strings.Builder
	uri.WriteString("mongodb")
	if s.SRV {
		uri.WriteString("+srv")
	}
	uri.WriteString("://")
	if s.User != "" {
		uri.WriteString(escape(s.User))
		if s.Password != "" {
			uri.WriteString(":" + escape(s.Password))
		}
		uri.WriteString("@")
	}
	uri.WriteString(strings.Join(hosts, ",") + "/")
	if query != "" {
		uri.WriteString("?" + query)
	}
	return uri.String(), nil
}

// escape percent-encodes everything but letters, digits and a few marks that mean
// nothing in a connection string.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

func (s Settings) hosts(refuse func(field, why string)) []string {
	if len(s.Hosts) == 0 {
		refuse("Hosts", "none")
	}
	if s.SRV && len(s.Hosts) > 1 {
		refuse("Hosts", "several, with SRV")
	}
	hosts := make([]string, len(s.Hosts))
	for i, text := range s.Hosts {
		host, port, why := splitHost(text)
		switch {
		case why != "":
			refuse("Hosts", why)
		case s.SRV && port != "":
			refuse("Hosts", "a port, with SRV")
		}
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		if port != "" {
			host += ":" + port
		}
		hosts[i] = host
	}
	return hosts
}

// splitHost takes host, host:port, an IPv6 address bare or bracketed, and one with a
// port bracketed.
func splitHost(text string) (host, port, why string) {
	host = text
	bracketed := strings.HasPrefix(text, "[")
	switch {
	case bracketed && strings.HasSuffix(text, "]"):
		host = text[1 : len(text)-1]
	case bracketed || strings.Count(text, ":") == 1:
		var err error
		if host, port, err = net.SplitHostPort(text); err != nil {
			return "", "", "not a host with a port"
		}
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return "", "", "a port out of range"
		}
	}
	switch {
	case host == "":
		return "", "", "an empty one"
	case strings.Contains(host, ":") && net.ParseIP(host) == nil, strings.ContainsAny(host, "/@?#,[]% "):
		return "", "", "not a host"
	}
	return host, port, ""
}

func (s Settings) checkCredentials(refuse func(field, why string)) {
	external := slices.Contains(externalMechanisms, s.AuthMechanism)
	switch {
	case s.User == "" && s.Password != "":
		refuse("User", "empty, with a password")
	case s.User != "" && s.Password == "" && !external:
		refuse("Password", "empty, with a user")
	case s.User == "" && s.AuthMechanism != "" && !external:
		refuse("User", "empty, with a mechanism that needs one")
	}
}

// query returns the options, in one order whatever the map is walked in.
func (s Settings) query(refuse func(field, why string)) string {
	values := url.Values{}
	set := func(name, value string) {
		if value != "" {
			values.Set(name, value)
		}
	}
	set("authSource", s.authSource())
	set("authMechanism", s.AuthMechanism)
	set("replicaSet", s.ReplicaSet)
	if s.TLS {
		set("tls", "true")
	}
	for _, name := range sortedKeys(s.Options) {
		if !slices.Contains(knownOptions, strings.ToLower(name)) {
			refuse("Options", "an unknown one")
			continue
		}
		values.Set(name, s.Options[name])
	}
	return strings.ReplaceAll(values.Encode(), "+", "%20")
}

func (s Settings) authSource() string {
	switch {
	case s.AuthSource != "" || s.User == "" && s.AuthMechanism == "":
		return s.AuthSource
	case slices.Contains(externalMechanisms, s.AuthMechanism):
		return "$external"
	}
	return "admin"
}

const redacted = "mongostore.Settings{…}"

// String shows nothing of the settings.
func (Settings) String() string { return redacted }

// GoString shows nothing of the settings.
func (Settings) GoString() string { return redacted }

// LogValue shows nothing of the settings.
func (Settings) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalJSON shows nothing of the settings.
func (Settings) MarshalJSON() ([]byte, error) { return json.Marshal(redacted) }
