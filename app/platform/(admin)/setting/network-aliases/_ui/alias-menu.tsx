'use client'

import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { deleteNetworkAlias, type NetworkAlias } from '@/lib/network/network-aliases/contract'
import { EditAlias } from './alias-form'

type Props = { alias: NetworkAlias; name: string; mayWrite: boolean }

/** The actions for an alias: view its addresses, or edit and delete it. */
export function AliasMenu({ alias, name, mayWrite }: Props) {
  const t = useTranslations('network-aliases')
  const { id, ips, usedIn } = alias
  const title = t('editTitle', { name })
  const places = usedIn.map(({ place, count }) => t(`usage.${place}`, { count })).join(', ')
  const addresses = ips.map(({ ip, comment }) => (
    <KeyValue key={ip} label={comment || t('ip')}>
      <Mono>{ip}</Mono>
    </KeyValue>
  ))
  if (!mayWrite)
    return <RowActions row={name} actions={[{ kind: 'view', title, body: <KeyValues>{addresses}</KeyValues> }]} />
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title,
          text: t(places ? 'usedText' : 'dialogText'),
          form: (done) => <EditAlias record={alias} onDone={done} />,
        },
        {
          kind: 'remove',
          contract: deleteNetworkAlias,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          kept: places ? { title: t('keepTitle', { name }), text: t('keepText', { places }) } : undefined,
        },
      ]}
    />
  )
}
