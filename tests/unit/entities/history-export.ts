export default { table: null }
