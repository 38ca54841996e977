'use client'

import { Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormRows } from '@/components/form/form-rows'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { RowActions } from '@/components/form/row-actions'
import { useContractForm } from '@/components/form/use-contract-form'
import { CallError } from '@/lib/base/http/client'
import { sampleAliasCall, sampleRowCall } from './sample-contracts'

/** Names that the example refuses as used, to show a server's error next to its field. */
const takenNames = new Set(['Офис, Череповец', 'Обратные прокси'])

type Values = { name: string; ips: { ip: string; comment: string }[]; comment: string }

function AliasForm({ values, verb, onDone }: { values: Values; verb: string; onDone: () => void }) {
  const t = useTranslations('gallery.aliases')
  const form = useContractForm(sampleAliasCall, {
    defaultValues: values,
    send: async ({ name }) => {
      if (takenNames.has(name.trim()) && name.trim() !== values.name)
        throw new CallError(
          400,
          'errorFields',
          { errorList: [{ field: 'name', code: 'errorUnique' }] },
          undefined,
          undefined,
        )
      return {}
    },
    onDone,
  })
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={verb}>
      <FormText name={field('name')} label={t('name')} maxLength={64} />
      <FormRows
        name={field('ips')}
        label={t('addresses')}
        rowLabel={t('address')}
        hint={t('ipHint')}
        addLabel={t('addIp')}
        empty={() => ({ ip: '', comment: '' })}
        max={20}
        pasted="ip"
      >
        {(row) => (
          <>
            <FormText mono name={row('ip')} label={t('ip')} />
            <FormText name={row('comment')} label={t('comment')} />
          </>
        )}
      </FormRows>
      <FormTextarea name={field('comment')} label={t('comment')} rows={3} />
    </DialogForm>
  )
}

/** The dialog that creates an alias. */
export function NewAlias({ onDone }: { onDone: () => void }) {
  const t = useTranslations('ui')
  const values = { name: '', ips: [{ ip: '', comment: '' }], comment: '' }
  return <AliasForm values={values} verb={t('create')} onDone={onDone} />
}

export function AliasMenu({ name, addresses }: { name: string; addresses: string[] }) {
  const t = useTranslations('gallery.aliases')
  const tu = useTranslations('ui')
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('editTitle', { name }),
          text: t('dialogText'),
          form: (done) => (
            <AliasForm
              values={{ name, ips: addresses.map((ip) => ({ ip, comment: '' })), comment: '' }}
              verb={tu('save')}
              onDone={done}
            />
          ),
        },
        {
          kind: 'confirm',
          label: t('delete'),
          icon: Trash2,
          tone: 'danger',
          ask: { title: t('deleteTitle', { name }), text: t('deleteText') },
          // the example sends nothing
          sends: sends(sampleRowCall, {}, { send: async () => ({}) }),
        },
      ]}
    />
  )
}
