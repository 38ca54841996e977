'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormRows } from '@/components/form/form-rows'
import { FormText } from '@/components/form/form-text'
import { useContractForm } from '@/components/form/use-contract-form'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { CallError } from '@/lib/base/http/client'
import { sampleGroupNameCall, sampleItemsCall } from './sample-contracts'

const stored = ['a', 'b', 'c'].map((code) => ({ id: `id-${code}`, code }))

/** A list that is edited in a dialog, with a dialog above it. The server refuses a code that an earlier row has. */
export function NestedSample() {
  const t = useTranslations('gallery.nested')
  const [open, setOpen] = useState(false)
  const [saved, setSaved] = useState<string | null>(null)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      <p role="status" className="break-all text-ink-second text-table">
        {saved}
      </p>
      <Dialog open={open} onOpenChange={setOpen} title={t('title')} size="L">
        <ItemsForm
          onDone={(items) => {
            setSaved(items)
            setOpen(false)
          }}
        />
      </Dialog>
    </div>
  )
}

type Sent = { items: { id?: string | undefined; code: string; value: string }[] }

function ItemsForm({ onDone }: { onDone: (items: string) => void }) {
  const t = useTranslations('gallery.nested')
  const tu = useTranslations('ui')
  const form = useContractForm(sampleItemsCall, {
    defaultValues: {
      group: '',
      items: stored.map((item): Sent['items'][number] => ({ ...item, value: t(`values.${item.code as 'a'}`) })),
    },
    send: async ({ items }: Sent) => {
      const codes = items.map(({ code }) => code)
      const repeatedIndex = codes.findIndex((code, place) => codes.indexOf(code) < place)
      if (repeatedIndex < 0) return {}
      const errorList = [{ field: `items[${repeatedIndex}].code`, code: 'errorUnique' }]
      throw new CallError(400, 'errorFields', { errorList }, undefined, undefined)
    },
    quiet: true,
    onDone: () => onDone(codesText(form.form.getValues().items)),
  })
  const codesText = (items: Sent['items']) => items.map(({ id, code }) => `${id ?? '+'}=${code}`).join(' ')
  const field = fieldsOf(form)
  return (
    <DialogForm form={form} verb={tu('save')}>
      <FormText name={field('group')} label={t('group')} />
      <NewGroup />
      <FormRows
        name={field('items')}
        label={t('items')}
        rowLabel={t('item')}
        empty={() => ({ code: '', value: '' })}
        max={20}
        pasted="value"
        ordered={{
          heads: [t('value'), t('code')],
          columns: '@min-[38rem]:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]',
          fresh: 'value',
          rowOf: (value) => ({ code: value.toLowerCase(), value }),
        }}
      >
        {(row) => (
          <>
            <FormText name={row('value')} label={t('value')} />
            <FormText mono name={row('code')} label={t('code')} />
          </>
        )}
      </FormRows>
    </DialogForm>
  )
}

/** Creates in a dialog above the option that the form below then chooses. */
function NewGroup() {
  const t = useTranslations('gallery.nested')
  const { setValue } = useFormMethods()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size="S" onClick={() => setOpen(true)} className="justify-self-start">
        {t('newGroup')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('newGroup')} size="S">
        <GroupForm
          onDone={(name) => {
            setValue('group', name, { shouldDirty: true })
            setOpen(false)
          }}
        />
      </Dialog>
    </>
  )
}

function GroupForm({ onDone }: { onDone: (name: string) => void }) {
  const t = useTranslations('gallery.nested')
  const tu = useTranslations('ui')
  const form = useContractForm(sampleGroupNameCall, {
    defaultValues: { name: '' },
    send: async () => ({}),
    quiet: true,
    onDone: () => onDone(form.form.getValues().name),
  })
  return (
    <DialogForm form={form} verb={tu('create')}>
      <FormText name={fieldsOf(form)('name')} label={t('groupName')} />
    </DialogForm>
  )
}
