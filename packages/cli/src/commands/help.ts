export const help = `portcullis: a web application firewall and reverse proxy with an admin console

Usage
  portcullis start [--demo]        the service and one gateway a core; --demo adds a small
                                   shop behind it and a stream of good and hostile traffic
  portcullis service               the control plane alone: API, console, storage
  portcullis gateway --id NAME     one data plane process alone
  portcullis admin reset [--email E]
                                   a new one-time link that sets up an administrator
  portcullis status [--json]       every gateway and service, what it runs and how it is, from this
                                   machine's service, or else from the database and Redis;
                                   exit code 1 where something is wrong now
  portcullis backup [FILE] [--with-keys]
                                   copies the database while the service runs; the key that
                                   opens its secrets goes along only with --with-keys
  portcullis restore FILE [--with-keys]
                                   puts a backup in the database's place while the service
                                   is stopped, and keeps the database before; on PostgreSQL
                                   into an empty database
  portcullis migrate --to END [--from END] [--dry-run] [--while-running]
                                   carries the installation to another database, compares every
                                   row, and leaves the source as it is. END is postgres://… or
                                   sqlite:FOLDER; without --from it is the one that is set. The
                                   service is stopped meanwhile: --while-running rehearses it,
                                   for what is stored after it began is not moved. A password
                                   may come by PGPASSWORD instead of the URL
  portcullis export [FILE] [--passphrase-file F]
                                   the whole configuration as one YAML file; its secrets go
                                   along, sealed, only with a passphrase
  portcullis diff FILE             what importing a file would change; exit code 1 where
                                   something would. FILE may be - for standard input
  portcullis import FILE [--apply] [--reason TEXT] [--passphrase-file F]
                                   the same, and with --apply puts it in force as one version,
                                   while the service runs or not
  portcullis check [--seclang DIR] whether settings and stored configuration are sound;
                                   with --seclang, what loads of a ModSecurity rule directory
  portcullis --help | --version

Settings by environment (each secret also from a file: the same name with _FILE)
  PORTCULLIS_DATA_DIR         where everything is kept              ./data
  PORTCULLIS_ADMIN_HOST       address of the console                127.0.0.1
  PORTCULLIS_ADMIN_PORT       port of the console                   7080
  PORTCULLIS_PUBLIC_URL       how browsers reach the console behind a proxy with TLS
  PORTCULLIS_ADMIN_TRUSTED_PROXIES
                              addresses of such proxies, with commas: their
                              X-Forwarded-For tells who calls
  PORTCULLIS_HTTP_HOST        address of the gateway              ::, IPv6 and IPv4
  PORTCULLIS_HTTP_PORT        port of the gateway                   8080
  PORTCULLIS_HTTPS_PORT       port of the gateway for TLS           8443
  PORTCULLIS_GATEWAY_WORKERS  gateway processes                     one a core
  PORTCULLIS_ACCESS_LOG_DIR   the access logs of sites that keep one  DATA_DIR/gateway/access
  PORTCULLIS_ACCESS_LOG_MEGABYTES
                              what those of one format may take   1024
  PORTCULLIS_EVENT_LOG        stdout writes every event as a line of JSON too  off
  PORTCULLIS_DATABASE_URL     postgres://… instead of SQLite (secret)
  PORTCULLIS_REDIS_URL        redis://… or rediss://… for several machines (secret) …
  PORTCULLIS_CLUSTER_KEY      … and what seals all that travels over it: 32 characters or
                              more, the same on every machine (secret)
  PORTCULLIS_REDIS_CA         authority behind the certificate of a rediss:// server (PEM)
  PORTCULLIS_NODE_NAME        this machine among them             its host name
  PORTCULLIS_COUNTRY_DATABASE an .mmdb file that tells the countries of addresses
  PORTCULLIS_ACME_DIRECTORY   where automatic certificates come from  Let's Encrypt
  PORTCULLIS_ACME_EMAIL       told of what concerns them
  PORTCULLIS_ACME_CA          root of a private authority's own API (PEM)
  PORTCULLIS_ACME_EAB_KEY_ID    an account at an authority that asks for one …
  PORTCULLIS_ACME_EAB_HMAC_KEY  … and its key, base64url (secret)
  PORTCULLIS_ADMIN_EMAIL      creates the first administrator …
  PORTCULLIS_ADMIN_PASSWORD   … without a browser (secret)
`;
