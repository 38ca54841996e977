type Value = string | number | { [name: string]: Value }

const control = (type: number, size: number) => {
  if (size > 28) throw new Error('too long for this small writer')
  return type <= 7 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7])
}

/** A value in the data format of MMDB files: texts, numbers and maps are enough for a database of countries. */
function written(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(6, 4), bytes])
  }
  const members = Object.entries(value)
  return Buffer.concat([
    control(7, members.length),
    ...members.flatMap(([name, member]) => [written(name), written(member)]),
  ])
}

/** Builds a country database of IPv4 subnets as a file: MaxMind DB 2.0 with records of 32 bits. */
export function countryDatabase(subnets: Record<string, Value>, type = 'Test-Country'): Buffer {
  const nodes: [number, number][] = [[-1, -1]]
  const data: Buffer[] = []
  let size = 0
  for (const [subnet, record] of Object.entries(subnets)) {
    const [address = '', length = '32'] = subnet.split('/')
    const bits = address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
      .slice(0, Number(length))
    let at = 0
    for (const [n, bit] of [...bits].entries()) {
      const node = nodes[at] as [number, number]
      const side = Number(bit) as 0 | 1
      if (n === bits.length - 1) node[side] = -2 - size
      else {
        if (node[side] < 0) node[side] = nodes.push([-1, -1]) - 1
        at = node[side]
      }
    }
    const bytes = written(record)
    data.push(bytes)
    size += bytes.length
  }
  const count = nodes.length
  const tree = Buffer.alloc(count * 8)
  // -1 is “no data”, encoded as the number of nodes; -2 and below are places in the data, which follows 16 empty bytes
  const pointer = (side: number) => (side >= 0 ? side : side === -1 ? count : count + 16 - 2 - side)
  for (const [at, [left, right]] of nodes.entries()) {
    tree.writeUInt32BE(pointer(left), at * 8)
    tree.writeUInt32BE(pointer(right), at * 8 + 4)
  }
  const metadata = written({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: type,
    ip_version: 4,
    node_count: count,
    record_size: 32,
  })
  return Buffer.concat([tree, Buffer.alloc(16), ...data, Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), metadata])
}
