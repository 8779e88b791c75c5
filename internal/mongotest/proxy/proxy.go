package proxy

import (
	"net"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Proxy forwards between drivers and one server.
type Proxy struct {
	tb       testing.TB
	target   string
	listener net.Listener
	running  sync.WaitGroup

	mu    sync.Mutex
	rules []*rule
	conns map[net.Conn]bool
	down  bool
	seen  []*Command
}

// Start starts a proxy in front of the server that a connection string names. It
// ends with the test.
func Start(tb testing.TB, uri string) *Proxy {
	tb.Helper()
	u, err := url.Parse(uri)
	if err != nil {
		tb.Fatalf("proxy: the URI cannot be read")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatalf("proxy: %v", err)
	}
	p := &Proxy{tb: tb, target: u.Host, listener: listener, conns: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	tb.Cleanup(func() {
		_ = listener.Close()
		p.Cut()
		p.running.Wait()
	})
	return p
}

// URI is the connection string of the proxy. It is direct: a driver that discovers
// the members of a set would go past the proxy. And it has the driver ask the server
// how it is, often: a scripted "not primary" does not come with the news that a real
// server would send of itself.
func (p *Proxy) URI() string {
	return "mongodb://" + p.listener.Addr().String() + "/?directConnection=true&serverMonitoringMode=poll&heartbeatFrequencyMS=500"
}

// Cut closes all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.conns {
		_ = conn.Close()
	}
}

// SetDown makes the server look gone, or come back: connections are cut and new ones
// refused.
func (p *Proxy) SetDown(down bool) {
	p.mu.Lock()
	p.down = down
	p.mu.Unlock()
	if down {
		p.Cut()
	}
}

// Commands returns the commands of a name that have come so far, in order.
func (p *Proxy) Commands(name string) []*Command {
	p.mu.Lock()
	defer p.mu.Unlock()
	var named []*Command
	for _, c := range p.seen {
		if c.Name == name {
			named = append(named, c)
		}
	}
	return named
}

// Forget forgets the commands that have come so far.
func (p *Proxy) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = nil
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // it is closed
		}
		p.mu.Lock()
		down := p.down
		p.mu.Unlock()
		if down {
			_ = client.Close()
			continue
		}
		server, err := net.DialTimeout("tcp", p.target, 5*time.Second)
		if err != nil {
			_ = client.Close()
			continue
		}
		l := &link{proxy: p, client: client, server: server, waiting: map[int32]*pending{}}
		if !p.keep(client, server) {
			continue
		}
		p.running.Go(l.fromClient)
		p.running.Go(l.fromServer)
	}
}

// keep remembers connections, unless the server went down meanwhile.
func (p *Proxy) keep(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		if p.down {
			_ = conn.Close()
		} else {
			p.conns[conn] = true
		}
	}
	return !p.down
}

func (p *Proxy) drop(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range conns {
		_ = conn.Close()
		delete(p.conns, conn)
	}
}

// link is one connection of a driver with its own one to the server.
type link struct {
	proxy          *Proxy
	client, server net.Conn

	mu      sync.Mutex
	waiting map[int32]*pending // replies that something is to happen to, by request
}

type pending struct{ fault Fault }

func (l *link) fromClient() {
	defer l.proxy.drop(l.client, l.server)
	for {
		m, err := readMessage(l.client)
		if err != nil {
			return
		}
		c, ok := m.command()
		if !ok {
			if _, err := l.server.Write(m); err != nil {
				return
			}
			continue
		}
		fault := l.proxy.faultFor(c)
		if fault.Before != nil {
			fault.Before()
		}
		switch {
		case fault.CutBefore:
			return
		case fault.Reply != nil:
			if l.write(replyTo(m, marshal(l.proxy.tb, fault.Reply))) != nil {
				return
			}
			continue
		case fault.DropReply, fault.Rewrite != nil, fault.After != nil:
			l.mu.Lock()
			l.waiting[m.requestID()] = &pending{fault: fault}
			l.mu.Unlock()
		}
		if _, err := l.server.Write(m); err != nil {
			return
		}
	}
}

func (l *link) fromServer() {
	defer l.proxy.drop(l.client, l.server)
	for {
		m, err := readMessage(l.server)
		if err != nil {
			return
		}
		l.mu.Lock()
		p := l.waiting[m.responseTo()]
		delete(l.waiting, m.responseTo())
		l.mu.Unlock()
		if p != nil {
			if p.fault.After != nil {
				p.fault.After()
			}
			if p.fault.DropReply {
				return
			}
			if p.fault.Rewrite != nil {
				m = rewrite(l.proxy.tb, m, p.fault.Rewrite)
			}
		}
		if l.write(m) != nil {
			return
		}
	}
}

// write sends a message to the driver. Both directions may want to.
func (l *link) write(m message) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.client.Write(m)
	return err
}

func rewrite(tb testing.TB, m message, change func(bson.D) bson.D) message {
	c, ok := m.command() // a reply has the form of a command
	if !ok {
		return m
	}
	var doc bson.D
	if err := bson.Unmarshal(c.Body, &doc); err != nil {
		tb.Errorf("proxy: a reply that cannot be read: %v", err)
		return m
	}
	request := make(message, headerSize)
	copy(request[4:8], m[8:12])
	return replyTo(request, marshal(tb, change(doc)))
}

func marshal(tb testing.TB, doc bson.D) bson.Raw {
	raw, err := bson.Marshal(doc)
	if err != nil {
		tb.Errorf("proxy: a reply that cannot be written: %v", err)
	}
	return raw
}

// rule applies a fault to the commands that match, a number of times.
type rule struct {
	match func(*Command) bool
	fault Fault
	left  int
}

// faultFor notes a command and returns what is to happen to it.
func (p *Proxy) faultFor(c *Command) Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = append(p.seen, c)
	for i, r := range p.rules {
		if !r.match(c) {
			continue
		}
		if r.left--; r.left == 0 {
			p.rules = slices.Delete(p.rules, i, i+1)
		}
		return r.fault
	}
	return Fault{}
}
