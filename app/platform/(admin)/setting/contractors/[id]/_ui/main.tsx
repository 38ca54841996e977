import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { FieldValue } from '@/components/ui/field-value'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/kernel/ctx'
import type { ContractorCard } from '@/lib/people/contractors/contract'
import { contractorBlocks, type FieldBlock } from '@/lib/people/contractors/fields'
import { organizationOptions } from '@/lib/people/contractors/service'
import { isFilled } from '@/lib/people/fields/definition'
import { RequisiteFacts } from '../../../_ui/requisite-facts'
import { EditableBlock, EditableMain } from './card-parts'

type Props = { ctx: Ctx; contractor: ContractorCard; mayWrite: boolean }

/** The requisites of a contractor, and beside them its organizations and dates. */
export async function ContractorMain({ ctx, contractor, mayWrite }: Props) {
  const [t, tr, organizations, blocks] = await Promise.all([
    getTranslations('contractors'),
    getTranslations('requisites'),
    mayWrite ? organizationOptions(ctx) : [],
    contractorBlocks(ctx),
  ])
  const facts = (
    <RequisiteFacts requisites={contractor}>
      <KeyValue label={t('name')}>{contractor.name}</KeyValue>
    </RequisiteFacts>
  )
  return (
    <CardColumns
      side={
        <>
          <CardGroup title={t('organizations')}>
            <KeyValues>
              {contractor.availableOrganizations.map(({ id, name }) => (
                <KeyValue key={id} label={t('organization')}>
                  {name}
                </KeyValue>
              ))}
              {contractor.availableOrganizations.length === 0 ? (
                <KeyValue label={t('organization')} missing={t('noOrganizations')} />
              ) : null}
            </KeyValues>
          </CardGroup>
          <KeyValues>
            <KeyValue label={t('created')}>
              <DateTime value={contractor.createdAt} />
            </KeyValue>
            <KeyValue label={t('changed')}>
              <DateTime value={contractor.updatedAt} />
            </KeyValue>
          </KeyValues>
        </>
      }
    >
      {mayWrite ? (
        <EditableMain title={tr('title')} contractor={contractor} organizations={organizations}>
          {facts}
        </EditableMain>
      ) : (
        <CardGroup title={tr('title')}>{facts}</CardGroup>
      )}
      {blocks.map((block) =>
        mayWrite && block.fields.some(({ edit }) => edit) ? (
          <EditableBlock key={block.id} contractor={contractor} block={block}>
            <Values contractor={contractor} block={block} />
          </EditableBlock>
        ) : (
          <CardGroup key={block.id} title={block.title}>
            <Values contractor={contractor} block={block} />
          </CardGroup>
        ),
      )}
    </CardColumns>
  )
}

/** A block of fields that administrators define. */
async function Values({ contractor: { values }, block }: { contractor: ContractorCard; block: FieldBlock }) {
  const t = await getTranslations('contractors')
  return (
    <KeyValues>
      {block.fields.map((field) => (
        <KeyValue key={field.code} label={field.title} {...(field.required ? { missing: t('valueMissing') } : {})}>
          {isFilled(values[field.code]) ? <FieldValue field={field} value={values[field.code]} /> : null}
        </KeyValue>
      ))}
    </KeyValues>
  )
}
