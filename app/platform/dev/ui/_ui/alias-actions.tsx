'use client'

import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Form, FormErrors } from '@/components/form/form'
import { FormRows } from '@/components/form/form-rows'
import { FormText, FormTextarea } from '@/components/form/form-text'
import { SubmitButton } from '@/components/form/submit-button'
import { useContractForm } from '@/components/form/use-contract-form'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { MenuItem, MenuSeparator } from '@/components/ui/menu'
import { RowMenu } from '@/components/ui/row-menu'
import { snackbar } from '@/components/ui/snackbar'
import { CallError } from '@/lib/kernel/http/client'
import { sampleAliasCall } from './sample-contracts'

/** Names that the example counts as taken, so that an answer of a server can be seen beside its field. */
const taken = new Set(['Офис, Череповец', 'Обратные прокси'])

type Values = { name: string; ips: { ip: string; comment: string }[]; comment: string }

function AliasForm({ values, verb, onDone }: { values: Values; verb: string; onDone: () => void }) {
  const t = useTranslations('gallery.aliases')
  const form = useContractForm(sampleAliasCall, {
    defaultValues: values,
    send: async ({ name }) => {
      if (taken.has(name.trim()) && name.trim() !== values.name)
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
  return (
    <Form form={form} className="contents">
      <DialogBody className="grid content-start gap-5">
        <FormErrors />
        <FormText name="name" label={t('name')} maxLength={64} />
        <FormRows
          name="ips"
          label={t('addresses')}
          rowLabel={t('address')}
          hint={t('ipHint')}
          addLabel={t('addIp')}
          empty={() => ({ ip: '', comment: '' })}
          max={20}
        >
          {(path) => (
            <>
              <FormText mono name={`${path}.ip`} label={t('ip')} />
              <FormText name={`${path}.comment`} label={t('comment')} />
            </>
          )}
        </FormRows>
        <FormTextarea name="comment" label={t('comment')} rows={3} />
      </DialogBody>
      <DialogFooter>
        <DialogCancel />
        <SubmitButton>{verb}</SubmitButton>
      </DialogFooter>
    </Form>
  )
}

export function CreateAlias() {
  const t = useTranslations('gallery.aliases')
  const tu = useTranslations('ui')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" className="size-4.5" />
        {t('create')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('createTitle')} text={t('dialogText')}>
        <AliasForm
          values={{ name: '', ips: [{ ip: '', comment: '' }], comment: '' }}
          verb={tu('create')}
          onDone={() => setOpen(false)}
        />
      </Dialog>
    </>
  )
}

export function AliasMenu({ name, addresses }: { name: string; addresses: string[] }) {
  const t = useTranslations('gallery.aliases')
  const tu = useTranslations('ui')
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <RowMenu row={name}>
        <MenuItem onSelect={() => setDialog('edit')}>
          <Pencil aria-hidden="true" className="size-4" />
          {t('edit')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem tone="danger" onSelect={() => setDialog('delete')}>
          <Trash2 aria-hidden="true" className="size-4" />
          {t('delete')}
        </MenuItem>
      </RowMenu>
      <Dialog open={dialog === 'edit'} onOpenChange={close} title={t('editTitle', { name })} text={t('dialogText')}>
        <AliasForm
          values={{ name, ips: addresses.map((ip) => ({ ip, comment: '' })), comment: '' }}
          verb={tu('save')}
          onDone={close}
        />
      </Dialog>
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title={t('deleteTitle', { name })}
        text={t('deleteText')}
        confirm={t('delete')}
        onConfirm={async () => {
          await snackbar.ok(t('kept'))
          return undefined
        }}
      />
    </>
  )
}
