import { all, any, path, type RuleTemplate } from './template.ts';

const category = 'exposed_files';

/** Files that a deployment left behind, of which one is enough to lose the whole site. */
export const exposedFiles: readonly RuleTemplate[] = [
  {
    id: 'tpl_git_directory',
    name: 'Block version control directories',
    description:
      'Stops requests for .git, .svn, .hg and .bzr, from which the whole source can be put together. Breaks a site that serves repositories over HTTP.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`/\.(git|svn|hg|bzr)(/|$)`)),
    fires: [{ target: '/.git/config' }, { target: '/app/.svn/entries' }, { target: '/%2egit/HEAD' }],
    passes: [{ target: '/docs/git/' }, { target: '/logo.github.png' }, { target: '/.gitlab-guide' }],
  },
  {
    id: 'tpl_env_file',
    name: 'Block environment files',
    description:
      'Stops requests for .env and its variants, which hold database passwords and keys. No site serves them on purpose.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`/\.env(\.[\w-]+)*$`)),
    fires: [{ target: '/.env' }, { target: '/api/.env.production' }, { target: '/.ENV.local' }],
    passes: [{ target: '/environment' }, { target: '/docs/my.env-guide' }],
  },
  {
    id: 'tpl_server_config',
    name: 'Block server configuration files',
    description:
      'Stops requests for .htaccess, .htpasswd, web.config and php.ini. Breaks nothing that a visitor needs.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: all(
      path(String.raw`/(\.ht(access|passwd|group)|web\.config|(\.user|php)\.ini|nginx\.conf)$`),
    ),
    fires: [{ target: '/.htpasswd' }, { target: '/web.config' }, { target: '/sub/.user.ini' }],
    passes: [{ target: '/docs/htaccess' }, { target: '/web.configuration' }],
  },
  {
    id: 'tpl_private_keys',
    name: 'Block private keys and key stores',
    description:
      'Stops requests for SSH and TLS private keys and key stores. Breaks a download page for such files; certificates (.crt) stay reachable.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: any(
      path(String.raw`/\.ssh(/|$)`),
      path('/id_(rsa|dsa|ecdsa|ed25519)$'),
      path(String.raw`\.(pem|key|p12|pfx|jks|ppk|kdbx)$`),
    ),
    fires: [{ target: '/.ssh/authorized_keys' }, { target: '/id_rsa' }, { target: '/ssl/server.key' }],
    passes: [{ target: '/id_rsa.html' }, { target: '/monkey' }, { target: '/ca.crt' }],
  },
  {
    id: 'tpl_database_dumps',
    name: 'Block database dumps',
    description:
      'Stops requests for SQL dumps and database files, also compressed. Breaks a site that offers such files for download.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`\.(sql|sqlite3?|mdb|bak\.sql|dump|rdb)(\.(gz|bz2|xz|zip|zst))?$`)),
    fires: [{ target: '/backup.sql' }, { target: '/db/site.sql.gz' }, { target: '/data.sqlite3' }],
    passes: [{ target: '/learn/sql' }, { target: '/sqlite.html' }],
  },
  {
    id: 'tpl_backup_files',
    name: 'Block backup and editor copies',
    description:
      'Stops requests for copies that editors and deployments leave (.bak, .old, .swp, index.php~), which show source code. Breaks downloads with such names.',
    severity: 'high',
    category,
    recommended: true,
    action: 'block',
    conditions: any(
      path(String.raw`\.(bak|backup|old|orig|save|swp|swo|tmp)$`),
      path(String.raw`\.(php|jsp|aspx?|py|rb|js|conf|ya?ml)(~|\.\d+)$`),
    ),
    fires: [{ target: '/config.php.bak' }, { target: '/index.php~' }, { target: '/.index.html.swp' }],
    passes: [{ target: '/gold' }, { target: '/backup' }, { target: '/app.js' }],
  },
  {
    id: 'tpl_site_archives',
    name: 'Block archives of the site in its root',
    description:
      'Stops guesses at archives in the root such as /backup.zip or /www.tar.gz. Breaks downloads of archives with exactly these names.',
    severity: 'high',
    category,
    recommended: false,
    action: 'block',
    conditions: all(
      path(
        String.raw`^/(backups?|www|site|web|html|htdocs|public_html|wwwroot|db|dump|old|archive)\.(zip|rar|7z|tar|tgz|tar\.(gz|bz2|xz))$`,
      ),
    ),
    fires: [{ target: '/backup.zip' }, { target: '/public_html.tar.gz' }, { target: '/WWW.rar' }],
    passes: [{ target: '/downloads/backup.zip' }, { target: '/release-1.2.zip' }],
  },
  {
    id: 'tpl_ci_files',
    name: 'Block build and deployment files',
    description:
      'Stops requests for container, pipeline and package files in the root, which name hosts and versions. Breaks a site that publishes these files.',
    severity: 'medium',
    category,
    recommended: true,
    action: 'block',
    conditions: all(
      path(
        String.raw`/(dockerfile|docker-compose(\.[\w-]+)?\.ya?ml|\.dockerignore|\.gitlab-ci\.yml|jenkinsfile|\.travis\.yml|composer\.(json|lock)|package-lock\.json|yarn\.lock|requirements\.txt|gemfile(\.lock)?)$`,
      ),
    ),
    fires: [{ target: '/docker-compose.yml' }, { target: '/composer.lock' }, { target: '/.gitlab-ci.yml' }],
    passes: [{ target: '/docker' }, { target: '/manifest.json' }],
  },
  {
    id: 'tpl_ide_files',
    name: 'Block editor and desktop leftovers',
    description:
      'Stops requests for .idea, .vscode and .DS_Store, which list what lies on the server. No site serves them on purpose.',
    severity: 'low',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`/(\.idea|\.vscode|\.settings)/|/(\.ds_store|thumbs\.db|desktop\.ini)$`)),
    fires: [{ target: '/.DS_Store' }, { target: '/.vscode/sftp.json' }],
    passes: [{ target: '/idea/' }, { target: '/ds_store' }],
  },
  {
    id: 'tpl_cloud_credentials',
    name: 'Block cloud credential files',
    description:
      'Stops requests for .aws, .azure, .kube and application credentials. No site serves them on purpose.',
    severity: 'critical',
    category,
    recommended: true,
    action: 'block',
    conditions: all(
      path(
        String.raw`/\.(aws|azure|kube|gcloud|docker)/|/(credentials\.json|service[-_]?account\.json|\.npmrc|\.netrc|\.pypirc)$`,
      ),
    ),
    fires: [{ target: '/.aws/credentials' }, { target: '/.kube/config' }, { target: '/.npmrc' }],
    passes: [{ target: '/aws/' }, { target: '/my-credentials' }],
  },
  {
    id: 'tpl_log_files',
    name: 'Block log files',
    description:
      'Stops requests for .log files and error_log, which show addresses, paths and now and then passwords. Breaks a site that offers logs for download.',
    severity: 'medium',
    category,
    recommended: true,
    action: 'block',
    conditions: all(path(String.raw`(\.log(\.\d+)?(\.gz)?|/(error|access|debug)_log)$`)),
    fires: [{ target: '/storage/logs/laravel.log' }, { target: '/error_log' }, { target: '/app.log.1.gz' }],
    passes: [{ target: '/blog' }, { target: '/login' }, { target: '/changelog' }],
  },
];
