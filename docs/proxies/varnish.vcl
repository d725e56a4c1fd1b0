vcl 4.1;

# Varnish 7 in front of Parvis, as CDN=on expects: it stores what carries CDN-Cache-Control, for as long as that says, and
# removes by tag what Parvis purges. Nothing else that names a person is stored. Start the service with
#   CDN=on  CDN_PURGE_URL=http://varnish:6081/  CDN_PURGE_METHOD=PURGE  CDN_PURGE_TOKEN=…  TRUST_PROXY=<address of Varnish>
# and Varnish with the same token in a file that it may read:
#   openssl rand -hex 32 | install -m 0640 -g varnish /dev/stdin /etc/varnish/parvis-purge-token
# TLS ends in front of Varnish.

import std;

backend parvis {
  .host = "127.0.0.1";
  .port = "3000";
  .first_byte_timeout = 30s;
}

# The same address once more, which gets no requests but tells whether Parvis and its database are up. In an outage Varnish
# serves what it has; for everything else Parvis itself says that it is unavailable.
backend readiness {
  .host = "127.0.0.1";
  .port = "3000";
  .probe = { .url = "/readyz"; .interval = 2s; .timeout = 1s; .window = 4; .threshold = 2; .initial = 2; }
}

# Who may purge: the addresses of Parvis.
acl parvis_instances {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.method == "PURGE") {
    # Varnish adds client.ip to X-Forwarded-For. Anything else there was written by a proxy, for example by the one that ends
    # TLS on this machine: a stranger sent it.
    if (client.ip !~ parvis_instances || (req.http.X-Forwarded-For && req.http.X-Forwarded-For != "" + client.ip)) {
      return (synth(403, "Forbidden"));
    }
    # Without the file, no token is right.
    if (req.http.Fastly-Key !~ "."
      || req.http.Fastly-Key != regsuball(std.fileread("/etc/varnish/parvis-purge-token"), "\s", "")) {
      return (synth(403, "Forbidden"));
    }
    # Only the characters of tags: the header becomes a pattern.
    if (req.http.Surrogate-Key !~ "^[a-z_:0-9-]+( [a-z_:0-9-]+)*$") {
      return (synth(400, "Bad Request"));
    }
    ban("obj.http.Surrogate-Key ~ (^|\s)(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")(\s|$)");
    return (synth(200, "Purged"));
  }
  # Public pages read no cookie.
  if (req.url !~ "^/(api|backoffice|docs)(/|\?|$)") {
    unset req.http.Cookie;
  }
  if (req.restarts == 0) {
    unset req.http.X-Restarted;
  }
  # Content of the last 30 s beyond its lifetime while all is well, of the last day while it is not.
  if (std.healthy(readiness) && req.restarts == 0) {
    set req.grace = 30s;
  } else {
    set req.grace = 1d;
  }
}

sub vcl_backend_response {
  # Parvis failed, or refused for lack of time: its response must not replace older content.
  if (beresp.status >= 500 && !bereq.uncacheable && (bereq.is_bgfetch || !bereq.http.X-Restarted)) {
    return (abandon);
  }
  if (beresp.http.CDN-Cache-Control) {
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, ".*max-age=(\d+).*", "\1s"), 0s);
    set beresp.grace = std.duration(regsub(beresp.http.CDN-Cache-Control, ".*stale-if-error=(\d+).*", "\1s"), 0s);
    # The id of one request, which readers would all get.
    unset beresp.http.X-Request-Id;
    return (deliver);
  }
  # Everything else as Cache-Control says: files with a digest in their name are stored, nothing that is no-store.
  set beresp.grace = 0s;
}

sub vcl_backend_error {
  if (!bereq.uncacheable && (bereq.is_bgfetch || !bereq.http.X-Restarted)) {
    return (abandon);
  }
}

sub vcl_synth {
  # Nothing was fetched: older content is better, if there is any. Otherwise the reader gets the failure of a second attempt.
  if (resp.status == 503 && req.restarts == 0 && req.method ~ "^(GET|HEAD)$") {
    set req.http.X-Restarted = "1";
    return (restart);
  }
}

sub vcl_deliver {
  # What the edge needed is nobody else's business. Readers get Cache-Control, and ask each time.
  unset resp.http.CDN-Cache-Control;
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
  } else {
    set resp.http.X-Cache = "miss";
  }
}
