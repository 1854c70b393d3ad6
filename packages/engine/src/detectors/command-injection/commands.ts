import { verbose } from '../../verbose.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Commands that are no words of a language and no common identifiers. */
export const plainCommands =
  set(`whoami ifconfig ipconfig uname netstat nslookup wget curl ncat netcat bash zsh dash ksh csh tcsh python2 python3
powershell pwsh cmd.exe systeminfo tasklist certutil bitsadmin mshta rundll32 regsvr32 cscript wscript chmod chown chgrp crontab useradd adduser userdel usermod
tftp telnetd socat gawk mawk egrep fgrep zgrep zcat bzcat xzcat busybox lsof traceroute tracert tracepath printenv gcc scp rsync gunzip xxd hexdump openssl nohup mkfifo
mknod getent lsb_release iptables msfvenom pkill killall ping6 wmic systemctl kubectl lscpu lsblk lsmod dmesg ssh-keygen phpinfo tcpdump nmap gobuster sqlmap
vssadmin wevtutil nltest findstr bcdedit htpasswd setfacl getfacl fsutil icacls cacls attrib xterm hping3 fping smbclient showmount hostnamectl insmod modprobe pkexec visudo chattr taskkill schtasks netsh arp route.exe sc.exe net.exe net1 whoami.exe`);

/** Commands that are words or identifiers too: these need arguments or surroundings that no sentence has. */
export const wordCommands =
  set(`cat tac nl head tail more less ls id pwd ps env set echo poweroff printf touch rm cp mv mkdir rmdir find locate which whereis type net reg sleep
timeout test eval exec source export sudo su w who last df du mount date time uptime reboot shutdown halt service docker apt apt-get yum dnf apk vi vim nano ed dd split
strings od sort uniq cut tee xargs rev paste wc nc sh python perl ruby php node java lua telnet ftp ssh dig host hostname ping kill awk sed grep tar zip unzip base64 cmd dir copy move del
ver start call route alias history unset read trap wait nice watch man script screen git svn npm pip make tr expr basename dirname readlink stat file cmp diff ln yes seq mail sendmail
crontab passwd at batch base32 md5sum sha1sum sha256sum nm ldd ld strace gdb`);

/** Word commands that probes send without arguments. */
export const bareProbes = set('id ls ps env pwd dir w who ver hostname set uptime last history');

/** Short commands of Windows, which reads them in either case. */
export const windowsCommands = set('cd cmd copy del dir ed move net reg set type ver');

/** Plain commands that tell of the system with no argument, as whoever tries a way in sends them alone. */
export const tellingAlone =
  set(`whoami ifconfig ipconfig uname netstat printenv systeminfo tasklist phpinfo lsof lsb_release lscpu lsblk lsmod dmesg whoami.exe cmd.exe
net1 arp`);

/** Commands that do nothing by themselves: 'a job with cron & curl'. */
export const needsArgument = set(
  `curl wget chmod chown chgrp scp rsync openssl gcc kubectl systemctl socat gawk mawk egrep fgrep zgrep findstr xxd useradd adduser usermod nohup`,
);

/** Interpreters of commands, which lists of languages name too. */
export const shells = set(`bash zsh dash ksh csh tcsh pwsh powershell python2 python3`);

/** Commands that are words a number stands behind: `part 7;rev 2`, `;type 1`. A file of that name is rare. */
export const numberedWords = set('rev type test cut ed mail man who more less call script route date time');

/** Commands that nobody names in passing: behind a separator any word after them is an argument. */
export const evidentCommands =
  set(`wmic vssadmin wevtutil nltest rundll32 regsvr32 mshta schtasks certutil bitsadmin findstr cscript wscript
tasklist taskkill net1 bcdedit netsh systeminfo whoami icacls crontab chmod chown useradd userdel mkfifo msfvenom`);

/** Commands that act on files, hosts and accounts, by names that are no words and that nobody lists as a skill. */
export const actingCommands = set(
  `mkdir rmdir rm mv cp ls scp chmod chown chgrp killall pkill getent socat mkfifo mknod useradd userdel usermod xxd vi umount gunzip zcat nslookup ifconfig netstat crontab ncat nc wget curl whoami uname printenv base64 nohup dig ssh ldd md5sum sha256sum unlink lsof nl tac grep egrep awk sed xargs`,
);

/** Commands that end the system: in quotes and between separators nobody says so in passing. */
export const endingCommands = set('reboot halt poweroff shutdown');

/** Commands that probes give one word to, to see it come back or time pass. */
export const speakingCommands = set('echo printf expr ps reg docker calc start');

/** What an argument of a command looks like, and a word of a sentence doesn't. */
export const argument = verbose('i')`
  ^(?:
    -{1,2}[a-z0-9]
    |\/[a-z]?[a-z0-9._?*~/-]*
    |\.{1,2}(?:\/|\\|$)
    |~
    |\$[\w({'"@*]
    |[*?]
    |\d{1,3}\.\d{1,3}\.\d{1,3}
    |https?:
    |ftp:
    |\d+(?:\s*$|\s*[;|&\`)#]|\s{1,3}\\?[-+*/%]\s)
    |[0-7]{3,4}\s{1,3}\/
    |aux\b
    |["'\`<>]
    |%[a-z]+%
    |[a-z]:\\
    |\\\\
    |\w+\.(?:txt|php|sh|py|pl|ini|conf|log|js|jsp|asp|aspx|html?|xml|bak|db|sql|env|exe|bat|ps1)\b
  )
`;
