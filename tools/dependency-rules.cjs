/**
 * The import rule of the house, runnable: engine <- contract <- { gateway, service, console } <- cli.
 * Each line says why it stands; tools/dependency-rules.test.ts plants one violation of each.
 */

module.exports = {
  forbidden: [
    {
      name: 'engine-stands-alone',
      comment: 'Detection is pure: no I/O, no clock, no dependency, so that it runs and is tested anywhere.',
      severity: 'error',
      from: { path: '^packages/engine/src', pathNot: '^packages/engine/src/testing/|\\.test\\.ts$' },
      to: { pathNot: '^packages/engine/src' },
    },
    {
      name: 'contract-takes-only-vocabulary',
      comment:
        'The contract is loaded by the browser: from the engine it takes the vocabulary, never the detectors.',
      severity: 'error',
      from: { path: '^packages/contract/src', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(packages/contract/src|packages/engine/src/vocabulary\\.ts$|node_modules/zod/)' },
    },
    {
      name: 'gateway-knows-no-service',
      comment: 'They meet in two ports of the contract, ConfigSource and EventSink; the cli wires them.',
      severity: 'error',
      from: { path: '^packages/gateway/src' },
      to: { path: '^packages/(service|console|cli)/' },
    },
    {
      name: 'service-knows-no-gateway',
      comment:
        'The control plane must start, stop and be replaced without the data plane, and is handed its rule checker.',
      severity: 'error',
      from: { path: '^packages/service/src' },
      to: { path: '^packages/(gateway|console|cli|engine)/' },
    },
    {
      name: 'console-knows-only-the-contract',
      comment: 'The console must work against any server that keeps the contract.',
      severity: 'error',
      from: { path: '^packages/console/src' },
      to: {
        path: '^packages/(engine|gateway|service|cli)/',
        pathNot: '^packages/engine/src/vocabulary\\.ts$',
      },
    },
    {
      name: 'nothing-imports-the-cli',
      comment: 'The cli is the one composition root; what others need of it belongs in the contract.',
      severity: 'error',
      from: { path: '^packages/(?!cli/)' },
      to: { path: '^packages/cli/' },
    },
    {
      name: 'one-door-per-domain',
      comment: 'A domain folder is entered through its index.ts, so that its inside can change freely.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/([^/]+)/', pathNot: '\\.test\\.tsx?$' },
      to: {
        path: '^packages/(engine|contract|gateway|service|cli)/src/[^/]+/',
        pathNot: ['^packages/$1/src/$2/', '/index\\.ts$'],
      },
    },
    {
      name: 'features-are-islands',
      comment:
        'Console features never import each other; app/ composes them, components/ and lib/ serve them.',
      severity: 'error',
      from: { path: '^packages/console/src/features/([^/]+)/' },
      to: { path: '^packages/console/src/(features|app)/', pathNot: '^packages/console/src/features/$1/' },
    },
    {
      name: 'parts-know-no-feature',
      comment: 'components/ and lib/ are shared by all features and so know none of them.',
      severity: 'error',
      from: { path: '^packages/console/src/(components|lib)/' },
      to: { path: '^packages/console/src/(features|app)/' },
    },
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one file, or one idea too many.',
      severity: 'error',
      from: { path: '^(packages|e2e|benchmarks|tools)/' },
      to: { circular: true },
    },
    {
      name: 'tests-are-leaves',
      comment: 'What a test holds is not for the product.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { path: '\\.test\\.tsx?$|/testing/' },
    },
    {
      name: 'resolvable',
      comment: 'An import that resolves to nothing is checked by nobody.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'],
    },
  },
};
