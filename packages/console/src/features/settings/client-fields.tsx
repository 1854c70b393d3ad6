import { Checkbox } from '../../components/choices.tsx';
import { FieldGrid, FullRow } from '../../components/form-layout.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { Panel } from '../../components/panel.tsx';
import { StringList } from '../../components/string-list.tsx';
import { messages } from '../../lib/messages/index.ts';
import type { SecurityForm } from './security-settings.ts';
import { securityBounds } from './security-settings.ts';

const words = messages.settings.security;

/** How the gateways know a client, how much of it they bear, and when they shut it out. */
export function ClientFields({ form }: { form: SecurityForm }) {
  const { blockSuspiciousIPs } = form.getValues();
  return (
    <Panel title={words.clients}>
      <FieldGrid>
        <RateLimit form={form} />
        <FullRow>
          <Checkbox
            label={words.blockSuspicious}
            description={words.blockSuspiciousHelp}
            {...form.getInputProps('blockSuspiciousIPs', { type: 'checkbox' })}
          />
        </FullRow>
        <NumberField
          label={words.banAfter}
          help={words.banAfterHelp}
          bounds={securityBounds.banAfterBlocks}
          disabled={!blockSuspiciousIPs}
          {...form.getInputProps('banAfterBlocks')}
        />
        <NumberField
          label={words.banWindow}
          bounds={securityBounds.banWindow}
          disabled={!blockSuspiciousIPs}
          {...form.getInputProps('banWindow')}
        />
        <NumberField
          label={words.banDuration}
          bounds={securityBounds.banDuration}
          disabled={!blockSuspiciousIPs}
          {...form.getInputProps('banDuration')}
        />
        <NumberField
          label={words.concurrent}
          help={words.concurrentHelp}
          bounds={securityBounds.maxConcurrentPerClient}
          {...form.getInputProps('maxConcurrentPerClient')}
        />
        <Proxies form={form} />
        <FullRow>
          <Checkbox
            label={words.proxyProtocol}
            description={words.proxyProtocolHelp}
            {...form.getInputProps('proxyProtocol', { type: 'checkbox' })}
          />
        </FullRow>
      </FieldGrid>
    </Panel>
  );
}

/** The limits of all sites: their switch, and what their category allows. */
function RateLimit({ form }: { form: SecurityForm }) {
  const { rateLimitEnabled } = form.getValues();
  return (
    <>
      <Checkbox
        label={words.rateLimit}
        description={words.rateLimitHelp}
        {...form.getInputProps('rateLimitEnabled', { type: 'checkbox' })}
      />
      <NumberField
        label={words.requestsPerMinute}
        help={words.requestsPerMinuteHelp}
        bounds={securityBounds.requestsPerMinute}
        disabled={!rateLimitEnabled}
        {...form.getInputProps('requestsPerMinute')}
      />
    </>
  );
}

function Proxies({ form }: { form: SecurityForm }) {
  const { trustedProxies } = form.getValues();
  const problem = Object.entries(form.errors).find(([path]) => path.startsWith('trustedProxies'))?.[1];
  return (
    <FullRow>
      <StringList
        label={words.proxies}
        description={words.proxiesHelp}
        placeholder="10.0.0.0/8"
        add={words.addProxy}
        values={trustedProxies}
        error={typeof problem === 'string' ? problem : undefined}
        onChange={(proxies) => form.setFieldValue('trustedProxies', proxies)}
      />
    </FullRow>
  );
}
