'use client'

import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { deleteNetworkAlias, type NetworkAlias } from '@/lib/platform/network-aliases/contract'
import { EditAlias } from './alias-form'

/** All addresses of an alias, for those who may only read. */
function Addresses({ ips }: NetworkAlias) {
  const t = useTranslations('network-aliases')
  return (
    <KeyValues>
      {ips.map(({ ip, comment }) => (
        <KeyValue key={ip} label={comment || t('ip')}>
          <Mono>{ip}</Mono>
        </KeyValue>
      ))}
    </KeyValues>
  )
}

/** What can be done with an alias: look at it, or change and delete it. */
export function AliasMenu({ alias, mayWrite }: { alias: NetworkAlias; mayWrite: boolean }) {
  const t = useTranslations('network-aliases')
  const { id, name, usedIn } = alias
  const title = t('editTitle', { name })
  const used = usedIn.length > 0
  const places = usedIn.map(({ place, count }) => t(`usage.${place}`, { count })).join(', ')
  if (!mayWrite) return <RowActions row={name} view={{ title, body: <Addresses {...alias} /> }} />
  return (
    <RowActions
      row={name}
      edit={{
        title,
        text: used ? t('usedText') : t('dialogText'),
        form: (done) => <EditAlias alias={alias} onDone={done} />,
      }}
      remove={{
        contract: deleteNetworkAlias,
        id,
        title: t('deleteTitle', { name }),
        text: t('deleteText'),
        kept: used ? { title: t('keepTitle', { name }), text: t('keepText', { places }) } : undefined,
      }}
    />
  )
}
