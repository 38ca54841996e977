import { check, checkAll, generateTypes, style, types } from './check/parts'

// two at a time: the types take about as long as all other parts together
const results = await Promise.all([check(generateTypes).then((made) => made && check(types)), checkAll(style)])
process.exit(results.every(Boolean) ? 0 : 1)
