import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { patternRule } from '../define.ts';

const category = 'path_traversal' as const;

/** Pages of products with well-known holes. */
export const holeRules: readonly Rule[] = [
  patternRule({
    id: 'probe-hole',
    category,
    message: 'A page with a well-known hole',
    parts: ['path'],
    pattern: verbose('i')`
      \/(?:
        current_config\/(?:passwd|account\d)
        |vendor\/phpunit
        |minio\/bootstrap\/v1\/verify$
        |api\/v2\/cmdb\/
        |eval-stdin\.php
        |_ignition\/execute-solution
        |invoker\/(?:jmx|ejb|readonly)
        |jmx-console
        |jbossmq-httpil
        |wls-wsat
        |console\/(?:css|images)\/(?:%252e|\.\.)
        |bea_wls_internal
        |hudson\/script
        |jenkins\/script
        |securityrealm\/user
        |descriptorbyname
        |solr\/\w{1,40}\/(?:config|dataimport|replication)$
        |solr\/admin
        |actuator\/(?:
            env|heapdump|gateway|jolokia|trace|mappings|logfile|shutdown|threaddump|httptrace|configprops|beans
            |loggers
          )
        |jolokia\b
        |(?:^|\/)heapdump$
        |nas_sharing\.cgi
        |app\/rest\/users\/[^/]{1,40}\/tokens\/rpc2
        |(?:trace|elmah)\.axd$
        |php-?my-?admin[\w.-]{0,20}\/(?:scripts\/setup\.php|setup\/index\.php)
        |alfa_data\/
        |setupwizard\.aspx\/
        |htmlawed\/htmlawedtest\.php
        |api\/index\.php\/v1\/config\/application
        |[^/]{0,12}\*~\d
        |[^/]{0,12}~\d\*
        |druid\/(?:indexer\/v1\/sampler|index\.html|websession|weburi)
        |setup\.cgi
        |cgi-bin\/(?:[^/]{0,60}\.sh|luci\/;|jarrewrite|bash|status|test-cgi|printenv|nobody|php\d?|%%)
        |phpmyadmin\/(?:scripts\/setup|index\.php\?target)
        |myadmin\/
        |adminer(?:-[\d.]+)?\.php
        |wp-content\/plugins\/[\w-]{1,60}\/(?:
            readme
            |[\w./-]{0,60}(?:upload|file|connector|eval)[\w-]{0,20}(?:\.minimal)?\.php
          )
        |(?:fck|ueditor|eweb|ck)\w{0,10}\/[\w./-]{0,60}test\.(?:php|jsp|aspx?|ashx|html)
        |uploadify\.(?:php|swf)
        |remote\/fgt_lang
        |dana-(?:ws|cached)\/
        |dana-na\/\.\.
        |mgmt\/tm\/
        |mgmt\/shared
        |nacos\/v1\/(?:auth|cs)
        |struts2?-showcase
        |bsh\.servlet
        |servlet\/~ic
        |services\/(?:\w{1,40}service)?\?wsdl
        |axis2?(?:-admin|\/services)
        |webtools\/control
        |railo-context
        |ui\/vropspluginui
        |analytics\/telemetry\/ph
        |pages\/(?:doenterpagevariables|createpage-entervariables|createpage)\.action
        |template\/aui\/text-inline\.vm
        |json\/setup-restore
        |setup\/setupadministrator\.action
        |setup\/setup-s\/(?:%u002e|\.\.)
        |webui_wsma_https?
        |(?:s|saas\/t)\/(?:[^/]{1,20}\/)?_\/;\/
        |;\/(?:web-inf|admin)
        |[^?]{1,60}\/getphpinfo\.php
        |_search\?
        |_users\/_all_docs
        |_all_dbs
        |_config\/query_servers
        |_nodes\/_local
        |_cat\/indices
        |version\/\.\.
        |latest\/meta-data
        # Ivanti EPMM, PAN-OS, FortiWeb, Zyxel, Sophos
        |mifs\/(?:aad|asfv3|rs)\/api\/v\d
        |[\w.-]{1,60}\.php\/\.js\.map$
        |cms_changedevicecontext\.esp
        |cgi-bin\/fwbcgi
        |ztp\/cgi-bin\/
        # ManageEngine, SAP NetWeaver, Oracle
        |restapi\/logoncustomization
        |ctcwebservice\/
        |developmentserver\/metadatauploader
        |oa_html\/(?:bne\w{4,30}service|syncservlet|configurator\/uiservlet)
        |oam\/server\/opensso\/
        |[^/]{0,60};\.wadl$
        # ColdFusion, SharePoint, Exchange, Zimbra, vCenter and Workspace ONE
        |cfide\/(?:administrator|adminapi|componentutils|wizards|debug)\b
        |_layouts\/1[56]\/(?:toolpane|spinstall\d?)\.aspx
        |aspnet_client\/[^?]{0,80}\.aspx$
        |service\/extension\/backup\/mboximport
        |h5-vsan\/rest\/proxy
        |catalog-portal\/ui\/oauth\/verify
        # vBulletin, Tongda, Landray, Hikvision
        |ajax\/render\/widget_(?:php|tabbedcontainer)
        |ispirit\/(?:im\/upload|interface\/gateway)\.php
        |sys\/ui\/extend\/varkind\/custom\.jsp
        |uapws\/service\/
        |eps\/api\/resourceoperations\/upload
        # Hadoop
        |ws\/v1\/cluster\/apps\/new-application
        # Routers and cameras
        |gponform\/
        |ctrlt\/deviceupgrade
        |(?:hedwig|tmunblock|apply_sec)\.cgi\b
      )
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'probe-hole-place',
    category,
    message: 'A page with a well-known hole, at the place where its product has it',
    parts: ['path'],
    // Further down these words name categories of a shop, authors and articles: /products/onvif/, /lyrics/script.
    pattern: verbose('i')`
      ^\/+(?:
        phpunit\/
        |web-console\/
        |(?:ci\/)?script(?:text)?$
        |_profiler
        |_fragment
        |server-(?:status|info)$
        |pma\/
        |vpns\/(?:cfg|portal)\/
        |seeyon\/
        |yyoa\/
        |weaver\/
        |lucee\/
        |tvhttpd
        |dvr\/
        |onvif\/(?:device|media|snapshot)
        |nifi-api
        |shell\?
        |hnap1\b
        |boaform\/
        |goform\/
        |manager\/(?:html|text|status)$
        |host-manager\/
        |tmui\/
        |portal\/redlion
        |telescope\/requests
        |debug\/pprof
        |uddiexplorer
        |sdk\/weblanguage
        |v1\/submissions\/create$
        |system\/configurationfile$
        |_async\/async
      )
    `,
    sensitivity: 'medium',
  }),
  patternRule({
    id: 'probe-editor-interface',
    category,
    message:
      'An interface that editors and products ask from the browser, and that scanners look for elsewhere',
    parts: ['path'],
    pattern: verbose('i')`
      \/(?:
        cfide\/|rest\/tinymce|api\/jsonws|\+cscoe\+|\+cscot\+
        |elfinder\/[\w./-]{0,40}connector
        |(?:kind|fck|ueditor|eweb|ck)\w{0,10}\/[\w./-]{0,60}(?:controller|connector|upload\w{0,10})\.(?:php|jsp|aspx?|ashx)
      )
    `,
    score: 3,
    sensitivity: 'high',
  }),
];
