module.exports = native('n8n-workflow');
