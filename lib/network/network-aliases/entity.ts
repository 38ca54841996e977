import { defineEntity, records, text } from '@/lib/base/audit/entity'

export const networkAliasEntity = defineEntity('network-aliases', {
  name: text('network-aliases.name'),
  ips: records<{ ip: string; comment: string }>('network-aliases.addresses', 'ip', {
    ip: text('network-aliases.ip'),
    comment: text('network-aliases.ipComment'),
  }),
  comment: text('network-aliases.comment'),
})
