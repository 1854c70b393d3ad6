import type { Rule } from '../../rules/index.ts';
import { verbose } from '../../verbose.ts';
import { anywhere, argumentParts, patternRule } from '../define.ts';

const category = 'command_injection' as const;
const severity = 'critical' as const;
const parts = [...anywhere, 'document', 'file'] as const;

/** Serialised objects where a receiver would bring them to life. */
export const deserializationRules: readonly Rule[] = [
  patternRule({
    id: 'object-java',
    category,
    severity,
    parts,
    message: 'A serialised Java object',
    pattern:
      /rO0ABX[A-Za-z0-9+/=_-]{3}|aced0005[0-9a-f]{4}|\xac\xed\x00\x05|H4sIAAAA[A-Za-z0-9+/]{4}[A-Za-z0-9+/]{0,40}rO0|hexasciiserializedmap/i,
  }),
  patternRule({
    id: 'object-php',
    category,
    severity,
    message: 'A serialised PHP object',
    pattern: /(?:^|[;:{"'=\s|])[OC]:\+?\d{1,4}:\\?"[\w\\]{1,120}":\d{1,4}:\{|phar:\/\//i,
  }),
  patternRule({
    id: 'object-dotnet',
    category,
    severity,
    parts,
    message: 'A serialised .NET object or one that runs code',
    pattern: verbose('i')`
      AAEAAAD\/{4}
      |AQAAAP\/{4}8B
      |ABAAAA\/{5}wE
      |\bobjectdataprovider\b
      # BinaryFormatter as it is: a header record, its ids 1 and -1, version 1.0. MS-NRBF §2.6.1
      |\x00\x01\x00\x00\x00\xff\xff\xff\xff\x01\x00\x00\x00
      |\bsystem\.windows\.data\b
      |\bsystem\.configuration\.install
      |\bpsobject\b.{0,40}\bclixml
      |\bsystem\.(?:diagnostics\.process|web\.security|management\.automation)
      |\btypeconfusedelegate
      |^system\.(?:io|windows|diagnostics|configuration|data|web|management|security|runtime|workflow)\.
        [\w.+\`]{2,80}\s{0,3},\s{0,3}(?:mscorlib|system|presentation\w{1,20}|microsoft\.\w)
      |\bwindowsidentity\b
      |\bsessionsecuritytoken
    `,
  }),
  patternRule({
    id: 'object-json-type',
    category,
    severity,
    message: 'JSON that names the class to build (fastjson, Jackson, Json.NET)',
    pattern: verbose('i')`
      ["']?@type["']?\s{0,9}:\s{0,9}["']?(?:com|org|java|javax|sun|ch|br|oracle|L?java|\[)\b
      |\b(?:
          jdbcrowsetimpl
          |templatesimpl
          |basicdatasource
          |jndidatasource\w{0,10}
          |jndirealmfactory
          |c3p0\.\w{3,40}
          |wrapperconnectionpooldatasource
          |hikariconfig
          |xbean\.propertyeditor
          |invokertransformer
          |badattributevalueexp
          |annotationinvocationhandler
          |priorityqueue\b.{0,80}comparator
          |propertypathfactorybean
          |datasourcename\b.{0,40}(?:ldap|rmi)
          |autocommit\b.{0,20}true.{0,80}datasource
        )\b
      |(?:\b__main__\.\w{1,40}"\s{0,9},\s{0,9}"py\/reduce|"py\/(?:reduce|function)"\s{0,9}:|"\^o"\s{0,9}:)
    `,
  }),
  patternRule({
    id: 'object-class-name',
    category,
    severity,
    message: 'The name of a Java class of the kind that gadgets are made of, as a value',
    // In XML the element around it tells whether something is built: `object-xml`.
    targets: anywhere.map((part) => ({ part, ...(part === 'xml' && { notPath: /@class$/ }) })),
    // Values that Jackson and others name with the class: lists, numbers, times. They hold what is beside them and do nothing.
    pattern: verbose()`
      ^(?!
        java\.(?:
          math\.\w+
          |time\.\w+
          |sql\.(?:Date|Time|Timestamp)
          |lang\.(?:String|Integer|Long|Short|Byte|Double|Float|Boolean|Character|Number|Void)
          |util\.(?:
              UUID|Date|Locale|Currency|Optional|(?:Gregorian)?Calendar|List|Map|Set|(?:Array|Linked)List
              |(?:Linked)?Hash(?:Map|Set)|Tree(?:Map|Set)
            )
        )$
      )
      (?:com\.(?:sun|mchange|zaxxer|alibaba)|org\.apache|javax?(?!\.faces\.))\.(?:[a-z]\w{0,40}\.){0,8}
      (?!\w{0,60}(?:Exception|Error)$)[A-Z]\w{2,60}$
    `,
  }),
  patternRule({
    id: 'object-djvu',
    category,
    severity,
    parts: ['file', 'document', 'multipart'],
    message: 'Perl in the annotations of a DjVu picture (CVE-2021-22204)',
    pattern: /\(metadata\b.{0,80}?(?:\\c\$\{|\bqx\b)/is,
  }),
  patternRule({
    id: 'object-json-gadget',
    category,
    severity,
    message:
      'A field of JSON that makes a reader call or fetch what it names (jsonpickle, Oj, Wazuh, SimpleXMLElement)',
    targets: argumentParts.map((part) => ({ part, of: 'names' as const })),
    pattern:
      /^(?:py\/(?:reduce|function)|\^o|__(?:unhandled_exc|reduce(?:_ex)?|globals|builtins|subclasses|import)__|[dD]ataIs(?:URL|Url))$/,
  }),
  patternRule({
    id: 'object-connection',
    category,
    severity,
    message: 'A JDBC address that loads code or objects when it is opened',
    pattern: verbose('i')`
      \bjdbc:[\w:/.@-]{2,120}[;?&][^\s'"]{0,200}(?:
        init\s{0,9}=
        |autodeserialize\s{0,9}=\s{0,9}(?:true|yes)
        |queryinterceptors\s{0,9}=
        |statementinterceptors\s{0,9}=
        |socketfactory(?:arg)?\s{0,9}=
        |allowloadlocalinfile\s{0,9}=
        |loggerfile\s{0,9}=
        |clientrerouteserverlistjndiname
      )
    `,
  }),
  patternRule({
    id: 'object-xml',
    category,
    severity,
    parts,
    message: 'XML that builds Java objects (XStream, XMLDecoder, XML-RPC)',
    pattern: verbose('i')`
      <(?:
        java(?:\s{1,9}(?:version|class)|>)
        |object\s{1,9}class\s{0,9}=
        |void\s{1,9}(?:class|method|property)\s{0,9}=
        |sorted-set>
        |dynamic-proxy>
        |jdk\.nashorn
        |tree-map>
        |linked-hash-set>
        |java\.(?:util|lang|beans|io|net)\.
        |javax\.
        |com\.sun\.
        |sun\.
        |groovy\.
        |org\.(?:apache|codehaus|springframework|hibernate)\.
        |(?:ex:)?serializable\b
        |wsdler
        |work:workcontext
        |wsa:relatesto
      )
      |<(?!
          (?:[\w-]{1,20}:)?(?:
            bean|exception|frame|cause|logger|appender|servlet|filter|listener|resource|dependency|task\w{0,9}
          )\s
        )[\w:.-]{1,60}(?:\s[^<>]{0,200})?\sclass\s{0,9}=\s{0,9}["'](?:
          java
          |javax
          |com\.sun
          |org\.(?:apache|codehaus|springframework|mozilla)
          |groovy
          |sun
        )\.[\w.$]{2,120}["']
      |\bexpandedwrapper\`\d\[\[
      |\blosformatter\b
    `,
  }),
  patternRule({
    id: 'object-hessian',
    category,
    severity,
    parts: ['file', 'document', 'body'],
    message: 'A class of Java that gadgets are made of, in a binary message (Hessian, Kryo, AMF)',
    pattern: verbose()`
      \b(?:
        javax\.swing\.UIDefaults\$ProxyLazyValue
        |javax\.naming\.spi\.ContinuationDirContext
        |com\.sun\.(?:rowset\.JdbcRowSetImpl|org\.apache\.(?:bcel|xalan)\.internal)
        |com\.rometools\.rome\.feed\.impl\.
        |com\.caucho\.naming\.QName
        |sun\.(?:print\.UnixPrintService|swing\.SwingLazyValue|rmi\.server\.UnicastRef)
        |org\.springframework\.(?:aop\.(?:support|aspectj)|jndi|beans\.factory)\.\w
        |org\.apache\.(?:commons\.(?:beanutils|collections4?)|xbean\.naming)\.
        |groovy\.util\.Expando
      )
    `,
  }),
  patternRule({
    id: 'object-python-ruby',
    category,
    severity,
    parts,
    message: 'A serialised Python or Ruby object',
    pattern: verbose()`
      \b(?:cposix|cos|c__builtin__|csubprocess|cnt)\n(?:system|eval|exec|popen|call|check_output)
      |\x80[\x02-\x05][^\n]{0,40}(?:posix|builtins|subprocess)
      |gA[SW]V[A-Za-z0-9+/]{4}AAAAAA
      |(?<![A-Za-z0-9+/_-])gA[JN]j[A-Za-z0-9+/]{8}
      |\x04\x08[\s\S]{1,400}(?:
          Gem::|ActiveSupport::Deprecat|\x08ERB\b|Net::(?:BufferedIO|WriteAdapter)|ActiveModel::AttributeMethods
        )
    `,
  }),
];
